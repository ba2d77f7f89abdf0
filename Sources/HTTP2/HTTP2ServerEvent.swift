/// What a server has to hear about its connection.
public enum HTTP2ServerEvent: Sendable {
    /// A whole request has come: take it from the server now.
    case request(stream: Int32)
    /// The client gave up a request.
    case reset(stream: Int32, code: UInt32)
    /// The client is closing.
    case goAway(code: UInt32)
}
