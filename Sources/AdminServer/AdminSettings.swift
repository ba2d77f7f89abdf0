/// Where an admin server listens, and what it lets clients use.
public struct AdminSettings: Sendable {
    /// The address to listen on.
    public var host: String
    /// The port to listen on; 0 for any that is free.
    public var port: UInt16
    /// The names by which it may be called, besides `localhost` and any address.
    public var hostNames: [String]
    /// What a client must present as a bearer token, except on open routes; nil for nothing.
    public var token: [UInt8]?
    /// How many bytes a request's body may have.
    public var bodyLimit = 65_536
    /// How many clients are served at once.
    public var connectionLimit = 128
    /// After how many silent seconds a client is dropped.
    public var idleTimeout = 60

    /// Listens on this machine alone.
    public init(host: String = "127.0.0.1", port: UInt16 = 0, hostNames: [String] = []) {
        self.host = host
        self.port = port
        self.hostNames = hostNames
    }
}
