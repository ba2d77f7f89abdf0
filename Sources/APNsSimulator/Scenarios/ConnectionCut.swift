/// How a connection is cut.
public enum ConnectionCut: String, CaseIterable, Sendable {
    /// The stream ends in order, as when a server shuts down (FIN).
    case end
    /// The connection is reset, as when a server dies (RST).
    case reset
}
