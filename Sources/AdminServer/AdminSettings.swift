/// Where an admin server listens, and its limits.
public struct AdminSettings: Sendable {
    /// The address to listen on.
    public var host: String
    /// The port to listen on; 0 for any free one.
    public var port: UInt16
    /// The path of a Unix domain socket to listen on instead; nil for host and port.
    public var socketPath: String?
    /// The host names accepted in requests, besides `localhost` and any address.
    public var hostNames: [String]
    /// The bearer token required except on open routes; nil for none.
    public var token: [UInt8]?
    /// The maximum size of a request's body in bytes.
    public var bodyLimit = 65_536
    /// The maximum number of clients at a time.
    public var connectionLimit = 128
    /// The number of silent seconds after which a client is dropped.
    public var idleTimeout = 60

    /// Creates settings for this machine only.
    public init(host: String = "127.0.0.1", port: UInt16 = 0, hostNames: [String] = []) {
        self.host = host
        self.port = port
        self.hostNames = hostNames
    }

    /// Where it listens, in one word.
    var address: String { socketPath ?? "\(host):\(port)" }
}
