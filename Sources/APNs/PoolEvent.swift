public import EventLoop

/// What a pool tells its owner; tags are the owner's own, and mean nothing to the pool.
public enum PoolEvent: Sendable {
    /// APNs has responded to a request that was sent with that version of the credential; the
    /// request is over.
    case responded(tag: UInt64, APNsResponse, credential: CredentialVersion)
    /// Not one byte of the request was processed: it may be sent again at once.
    case notSent(tag: UInt64)
    /// The push cannot be sent as it is, whichever connection takes it; APNs has not seen it.
    case unsendable(tag: UInt64, UnsendableReason)
    /// The request left and no response will come: whether Apple took it, nobody knows.
    case inDoubt(tag: UInt64, reason: String)
    /// The peer calls the request a breach of HTTP/2 and processed nothing: that is a fault to be
    /// told, and the request may be sent once more.
    case unacceptable(tag: UInt64, reason: String)
    /// A connection stands and may be used; TLS took up an earlier session, or proved all again.
    case connected(SocketAddress, isResumed: Bool)
    /// APNs has accepted a request with the new credential: it is the only one from now on.
    case renewed(CredentialVersion)
    /// APNs refuses the new credential: the one before continues.
    case renewalRefused(RenewalRefusal)
    /// A connection could not be made, or broke.
    case failed(ConnectionFailure)
    /// APNs closed a connection and named a fault of its credential: no request with it will be
    /// accepted.
    case credentialRefused(reason: String, credential: CredentialVersion)
}
