/// An event on a client's connection.
public enum HTTP2ClientEvent: Equatable, Sendable {
    /// The peer has responded to the request; its tag may be reused.
    case response(tag: Int, HTTP2Response)
    /// The peer will never respond to the request; its tag may be reused.
    case failed(tag: Int, HTTP2StreamFailure)
    /// The peer's SETTINGS have arrived; `Int.max` when it sets no limit on open streams.
    case settings(streamLimit: Int)
    /// The peer accepts no more requests, and has not processed any above `lastStream`.
    case goAway(lastStream: Int32, code: UInt32, debug: [UInt8])
    /// The peer has acknowledged a PING.
    case pong(UInt64)
}

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
