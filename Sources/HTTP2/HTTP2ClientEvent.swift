/// What a client has to hear about its connection.
public enum HTTP2ClientEvent: Equatable, Sendable {
    /// The peer has answered the request; its tag is free.
    case response(tag: Int, HTTP2Response)
    /// The peer will never answer the request; its tag is free.
    case failed(tag: Int, HTTP2StreamFailure)
    /// The peer's settings have come; `Int.max` when it sets no limit on open streams.
    case settings(streamLimit: Int)
    /// The peer takes no more requests, and has not processed any above `lastStream`.
    case goAway(lastStream: Int32, code: UInt32, debug: [UInt8])
    /// The peer has answered a ping.
    case pong(UInt64)
}
