/// An action on a link, which is a provider's connection.
public enum LinkCommand: Equatable, Sendable {
    /// Send bytes.
    case send([UInt8])
    /// Send pending output, shut down our side, and discard input until the provider closes.
    case finish
    /// Send pending output, and close immediately.
    case close
    /// Reset it, so that the provider sees a RST.
    case reset
}
