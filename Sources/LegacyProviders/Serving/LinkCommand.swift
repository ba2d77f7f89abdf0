/// What is to be done with a link: a provider's connection.
public enum LinkCommand: Equatable, Sendable {
    /// Send bytes.
    case send([UInt8])
    /// Send what waits, end our side, and discard what comes until the provider closes.
    case finish
    /// Send what waits, and close at once.
    case close
    /// Break it off, so that the provider sees a reset.
    case reset
}
