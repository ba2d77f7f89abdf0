public import APNs
internal import Encoding

/// The address of an APNs service, and which certificates to trust.
public struct EndpointSettings: Equatable, Sendable {
    /// The certificate authorities that the service's certificate must come from.
    public enum TrustRoots: Equatable, Sendable {
        /// The system's trusted roots.
        case system
        /// Those in a PEM file, and no others.
        case file(path: String)
        /// PEM certificates, for an endpoint within the process.
        case pem([UInt8])
    }

    /// A host name or an IP address, without brackets.
    public var host: String
    /// The TCP port.
    public var port: UInt16
    /// The certificate authorities that the service's certificate must come from.
    public var trustRoots: TrustRoots
    /// The HTTP proxy to connect through; nil for none.
    public var proxy: HTTPProxy?
    /// True for a simulator or a gateway: `apns.endpoint` is set.
    public var isCustom: Bool

    /// Creates an endpoint.
    public init(
        host: String, port: UInt16, trustRoots: TrustRoots, isCustom: Bool, proxy: HTTPProxy? = nil
    ) {
        self.host = host
        self.port = port
        self.trustRoots = trustRoots
        self.isCustom = isCustom
        self.proxy = proxy
    }

    /// Host and port in the usual notation.
    public var address: String {
        host.contains(":") ? "[\(host)]:\(port)" : "\(host):\(port)"
    }

    /// True for a simulator or a gateway on this machine.
    public var isLoopback: Bool {
        isCustom && proxy == nil && Loopback.contains(host)
    }

    /// Apple's endpoint for an environment.
    public static func apple(_ environment: APNsSettings.Environment) -> EndpointSettings {
        let host =
            switch environment {
            case .production: APNsEndpoint.productionHost
            case .development: APNsEndpoint.developmentHost
            }
        return EndpointSettings(
            host: host, port: APNsEndpoint.defaultPort, trustRoots: .system, isCustom: false)
    }
}

extension EndpointSettings {
    /// Where Apple manages the broadcast channels of an environment.
    ///
    /// Source: Apple, *Sending channel management requests to APNs*.
    public static func appleChannels(_ environment: APNsSettings.Environment) -> EndpointSettings {
        let (host, port): (String, UInt16) =
            switch environment {
            case .production: ("api-manage-broadcast.push.apple.com", 2196)
            case .development: ("api-manage-broadcast.sandbox.push.apple.com", 2195)
            }
        return EndpointSettings(host: host, port: port, trustRoots: .system, isCustom: false)
    }
}
