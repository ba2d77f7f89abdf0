public import EventLoop

/// What a pool reports to its owner; tags are chosen by the owner and opaque to the pool.
public enum PoolEvent: Sendable {
    /// APNs responded to a request sent with this version of the credential; the request is
    /// finished.
    case responded(tag: UInt64, APNsResponse, credential: CredentialVersion)
    /// The request was not processed at all: it may be resent immediately.
    case notSent(tag: UInt64)
    /// The push cannot be sent as it is, on any connection; APNs has not seen it.
    case unsendable(tag: UInt64, UnsendableReason)
    /// The request was sent and no response will come: it is unknown whether APNs accepted the
    /// push.
    case inDoubt(tag: UInt64, reason: String)
    /// The peer rejected the request as a protocol error and did not process it: report it as a
    /// fault; the request may be resent once.
    case unacceptable(tag: UInt64, reason: String)
    /// A connection is ready, with a resumed TLS session or after a full handshake.
    case connected(SocketAddress, isResumed: Bool)
    /// APNs has accepted a request with the new credential: it is now the only one in use.
    case renewed(CredentialVersion)
    /// APNs rejected the new credential: the current one stays in use.
    case renewalRefused(RenewalRefusal)
    /// A connection could not be opened, or broke.
    case failed(ConnectionFailure)
    /// APNs closed a connection because of its credential: it will accept no request with it.
    case credentialRefused(reason: String, credential: CredentialVersion)
}

/// Why a push was not sent: APNs has not seen it.
public enum UnsendableReason: Equatable, Sendable {
    /// One of its fields contains characters that HTTP does not allow.
    case invalidField(detail: String)
    /// The certificate does not cover its bundle identifier and push type.
    case notInCertificate
}
