public import EventLoop

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
    /// A connection stands and may be used.
    case connected(SocketAddress)
    /// A connection could not be made, or broke.
    case failed(ConnectionFailure)
    /// Apple went away and named a fault of the credential: no request of it will be taken.
    case credentialRefused(reason: String)
}
