public import EventLoop
internal import HTTP2

/// The events of a pool that its owner has not taken yet.
typealias EventQueue = HTTP2.EventQueue<PoolEvent>

/// What a pool tells its owner; tags are the owner's own numbers.
public enum PoolEvent: Sendable {
    /// Apple answered; the request is over.
    case answered(tag: Int, Answer)
    /// Not one byte of the request was processed: it may be sent again at once.
    case notSent(tag: Int)
    /// The request left and no answer will come: whether Apple took it, nobody knows.
    case inDoubt(tag: Int, reason: String)
    /// The peer calls the request a breach of HTTP/2 and processed nothing: that is a fault to be
    /// told, and the request may be sent once more.
    case unacceptable(tag: Int, reason: String)
    /// A connection stands and may be used; TLS took up an earlier session, or proved all anew.
    case connected(SocketAddress, isResumed: Bool)
    /// APNs has accepted a request with the new credential: it is the only one from now on.
    case renewed
    /// APNs refuses the new credential: the one before goes on.
    case renewalRefused(reason: String)
    /// A connection could not be made, or broke.
    case failed(ConnectionFailure)
    /// Apple went away and named a fault of the credential: no request of it will be taken.
    case credentialRefused(reason: String)
}
