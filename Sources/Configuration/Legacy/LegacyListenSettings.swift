public import TLS

/// The `listen:` block of a legacy file: where providers connect, and what they are shown.
public struct LegacyListenSettings: Sendable {
    /// The address or the host name on which it listens.
    public var host: String
    /// The port; 0 for any that is free.
    public var port: UInt16
    /// The server's certificate with its chain and its key.
    public var certificate: ClientCertificate
    /// How many connections there may be at a time.
    public var connections: Int
}
