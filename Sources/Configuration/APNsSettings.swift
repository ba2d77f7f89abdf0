public import APNs
internal import Encoding
public import TLS

/// The `apns:` block: how to connect to APNs, and with which credentials.
public struct APNsSettings: Sendable {
    /// The APNs environment that the device tokens belong to.
    public enum Environment: String, CaseIterable, Sendable {
        /// Apps from the App Store, TestFlight or enterprise distribution.
        case production
        /// Apps installed by Xcode.
        case development
    }

    /// The apps that pushes are sent to, in the order of the file; at least one.
    public var apps: [AppSettings]
    /// The number of connections per worker, endpoint and credential: see
    /// ``APNs/PoolSettings/connections``.
    public var connections: ClosedRange<Int>
    /// The most requests that may be open on one connection; nil for as many as APNs allows.
    public var maxStreams: Int?

    /// The delay between the first opens of two connections; nil for the default.
    public var connectStagger: Duration?
    /// How long a connection may be silent before a PING checks it; nil for any time.
    public var pingInterval: Duration? = .seconds(60)

    /// Creates the settings.
    public init(
        apps: [AppSettings], connections: ClosedRange<Int> = PoolSettings.defaultConnections,
        maxStreams: Int? = nil
    ) {
        self.apps = apps
        self.connections = connections
        self.maxStreams = maxStreams
    }

    /// The apps that share an endpoint and a credential, and therefore connections: each as indices
    /// into ``apps``.
    public var routes: [[Int]] {
        var routes: [[Int]] = []
        for index in apps.indices {
            let known = routes.firstIndex { apps[$0[0]].sharesConnections(with: apps[index]) }
            if let known { routes[known].append(index) } else { routes.append([index]) }
        }
        return routes
    }
}

/// An app that pushes are sent to: its endpoint, its credential and its name.
public struct AppSettings: Sendable {
    /// Its name in the connector; the bundle identifier when there is only one.
    public var name: String
    /// The endpoint to connect to.
    public var endpoint: EndpointSettings
    /// The environment of the device tokens, as reported in outcomes.
    public var environment: APNsSettings.Environment
    /// The credential to push with.
    public var credential: CredentialSettings
    /// The bundle identifier, without the suffix of a push type.
    public var bundleID: String

    /// Creates an app.
    public init(
        name: String, endpoint: EndpointSettings, environment: APNsSettings.Environment,
        credential: CredentialSettings, bundleID: String
    ) {
        self.name = name
        self.endpoint = endpoint
        self.environment = environment
        self.credential = credential
        self.bundleID = bundleID
    }

    func sharesConnections(with other: AppSettings) -> Bool {
        endpoint == other.endpoint && credential.name == other.credential.name
    }
}

/// The credential of an app.
public enum CredentialSettings: Sendable {
    /// A key that signs provider tokens; key ID and team ID have ten letters and digits each.
    case key(SigningKey, keyID: String, teamID: String)
    /// A client certificate.
    case certificate(ClientCertificate)

    /// Whether it is a key or a certificate.
    public var kind: APNsCredential.Kind {
        switch self {
        case .key: .key
        case .certificate: .certificate
        }
    }

    /// Its identifiers, which are not secret.
    public var name: String {
        switch self {
        case .key(_, let keyID, let teamID): "\(teamID)/\(keyID)"
        case .certificate(let certificate):
            Self.text(certificate.description.fingerprint)
        }
    }

    /// Distinguishes it even from one with the same identifiers; not secret.
    public var fingerprint: String {
        switch self {
        case .key(let key, _, _):
            "\(name)/\(Self.text(SHA256.hash((try? key.publicKey.pem) ?? [])))"
        case .certificate: name
        }
    }

    private static func text(_ bytes: [UInt8]) -> String {
        String(decoding: Base64.url.encode(bytes), as: UTF8.self)
    }

    /// A description for display.
    public var message: String {
        switch self {
        case .key(_, let keyID, let teamID): "key \(keyID) of team \(teamID)"
        case .certificate(let certificate): "certificate (\(certificate.description.subject))"
        }
    }
}
