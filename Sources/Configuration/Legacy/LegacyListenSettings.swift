public import TLS

/// The `listen:` block of a legacy file: the listening socket and its certificate.
public struct LegacyListenSettings: Sendable {
    /// The address or host name to listen on.
    public var host: String
    /// The port; 0 for any free one.
    public var port: UInt16
    /// The server's certificate with its chain and its key.
    public var certificate: ClientCertificate
    /// The maximum number of connections.
    public var connections: Int

    /// About how many descriptors a service has open when every connection is in use: those of
    /// connections, and those of librdkafka's clients and of the process.
    public var descriptors: Int { connections + 64 }
}
