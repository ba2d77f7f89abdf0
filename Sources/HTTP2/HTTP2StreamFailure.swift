/// Why a request has no response.
public enum HTTP2StreamFailure: Equatable, Sendable {
    /// The peer promises that it did nothing with the request: it is safe to send again.
    case notProcessed
    /// The peer calls the request a breach of HTTP/2, or asks for HTTP/1.1: it did not begin to
    /// answer, and most probably processed nothing.
    case unacceptable(code: UInt32)
    /// The stream was reset with an HTTP/2 error code; the request may have been processed.
    case reset(code: UInt32)
}
