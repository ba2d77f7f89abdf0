internal import Encoding
public import TLS

/// Where pushes are sent, and which certificates to trust there.
public struct APNsEndpoint: Sendable {
    /// Apple's host for production device tokens.
    public static let productionHost = "api.push.apple.com"
    /// Apple's host for development device tokens.
    public static let developmentHost = "api.sandbox.push.apple.com"
    /// The usual port.
    public static let defaultPort: UInt16 = 443

    /// A host name or an address, without brackets.
    public var host: String
    /// The port.
    public var port: UInt16
    /// The TLS context: trusted roots and protocol.
    public var trust: TLSContext

    /// The HTTP proxy to connect through; nil for none.
    public var proxy: HTTPProxy?

    /// Creates an endpoint.
    public init(
        host: String, port: UInt16 = Self.defaultPort, trust: TLSContext, proxy: HTTPProxy? = nil
    ) {
        self.host = host
        self.port = port
        self.trust = trust
        self.proxy = proxy
    }

    /// Host and port in the usual notation.
    var address: String { host.contains(":") ? "[\(host)]:\(port)" : "\(host):\(port)" }

    /// The value of `:authority`.
    var authority: [UInt8] {
        let name = host.utf8.contains(UInt8(ascii: ":")) ? "[\(host)]" : host
        return [UInt8]((port == Self.defaultPort ? name : "\(name):\(port)").utf8)
    }

    /// True when the host is one of the usual names of this machine.
    var isLoopback: Bool { Loopback.contains(host) }
}
