/// Why a request has no response.
public enum HTTP2StreamFailure: Equatable, Sendable {
    /// The peer states that it did not process the request: it is safe to resend.
    case notProcessed
    /// The peer rejects the request as an HTTP/2 protocol error, or requires HTTP/1.1: it has not
    /// started to respond, and most probably processed nothing.
    case unacceptable(code: UInt32)
    /// The stream was reset with an HTTP/2 error code; the request may have been processed.
    case reset(code: UInt32)
}
