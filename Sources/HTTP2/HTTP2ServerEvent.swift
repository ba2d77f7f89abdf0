/// An event on a server's connection.
public enum HTTP2ServerEvent: Sendable {
    /// A complete request has arrived: take it from the server now.
    case request(stream: Int32)
    /// The client cancelled a request.
    case reset(stream: Int32, code: UInt32)
    /// The client is closing.
    case goAway(code: UInt32)
}
