public import APNs

/// The address of an APNs service, and whom to believe that it is one.
public struct EndpointSettings: Equatable, Sendable {
    /// Which certificate authorities may vouch for the service.
    public enum TrustRoots: Equatable, Sendable {
        /// Those that the system trusts.
        case system
        /// Those in a PEM file, and no others.
        case file(path: String)
        /// Certificates in PEM, for an endpoint within the process.
        case pem([UInt8])
    }

    /// A host name or an IP address, without brackets.
    public var host: String
    /// The TCP port.
    public var port: UInt16
    /// Which certificate authorities may vouch for the service.
    public var trustRoots: TrustRoots
    /// The HTTP proxy on the way; nil for none.
    public var proxy: HTTPProxy?
    /// True for a simulator or a gateway: `apns.endpoint` was written.
    public var isCustom: Bool

    /// Names an address.
    public init(
        host: String, port: UInt16, trustRoots: TrustRoots, isCustom: Bool, proxy: HTTPProxy? = nil
    ) {
        self.host = host
        self.port = port
        self.trustRoots = trustRoots
        self.isCustom = isCustom
        self.proxy = proxy
    }

    /// Host and port, as people write them.
    public var address: String {
        host.contains(":") ? "[\(host)]:\(port)" : "\(host):\(port)"
    }

    /// Apple's own service for an environment.
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
