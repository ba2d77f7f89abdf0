/// How a connection is cut.
public enum Cut: String, CaseIterable, Sendable {
    /// The stream of bytes ends, as when a server goes in order (FIN).
    case end
    /// The connection is broken off, as when a server dies (RST).
    case reset
}
