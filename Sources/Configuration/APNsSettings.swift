internal import Encoding
public import TLS

/// The `apns:` block: how to reach Apple, and as whom.
public struct APNsSettings: Sendable {
    /// The APNs environment that the device tokens belong to.
    public enum Environment: String, CaseIterable, Sendable {
        /// Apps from the App Store, TestFlight and the enterprise.
        case production
        /// Apps that Xcode installed.
        case development
    }

    /// The apps that pushes go to, in the order of the file; at least one.
    public var apps: [AppSettings]
    /// How many connections each worker keeps for each endpoint and credential, 1 to 64.
    public var connections: Int
    /// The most requests that may be open on one connection; nil for as many as Apple allows.
    public var maxStreams: Int?

    /// The pause between the first opens of two connections; nil for the usual one.
    public var connectStagger: Duration?

    /// Describes how to reach Apple.
    public init(apps: [AppSettings], connections: Int = 4, maxStreams: Int? = nil) {
        self.apps = apps
        self.connections = connections
        self.maxStreams = maxStreams
    }

    /// The apps that share an endpoint and a credential, and so their connections: each as its
    /// places in ``apps``.
    public var routes: [[Int]] {
        var routes: [[Int]] = []
        for index in apps.indices {
            let known = routes.firstIndex { apps[$0[0]].sharesConnections(with: apps[index]) }
            if let known { routes[known].append(index) } else { routes.append([index]) }
        }
        return routes
    }
}

/// An app that pushes go to: its address, its credential and its name.
public struct AppSettings: Sendable {
    /// What the connector calls it; the bundle identifier where there is only one.
    public var name: String
    /// Where to connect to.
    public var endpoint: EndpointSettings
    /// What outcomes say about the device tokens' environment.
    public var environment: APNsSettings.Environment
    /// As whom.
    public var credential: CredentialSettings
    /// The bundle identifier, without the suffix of a push type.
    public var bundleID: String

    /// Describes an app.
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

/// What an app proves its right to push with.
public enum CredentialSettings: Sendable {
    /// A key that signs provider tokens; its identifier and its team's have ten letters and
    /// digits.
    case key(SigningKey, keyID: String, teamID: String)
    /// A client certificate.
    case certificate(ClientCertificate)

    /// What tells it from others: the identifiers, which are no secrets.
    public var name: String {
        switch self {
        case .key(_, let keyID, let teamID): "\(teamID)/\(keyID)"
        case .certificate(let certificate):
            Self.text(certificate.description.fingerprint)
        }
    }

    /// What tells it also from one with the same identifiers; no secret.
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

    /// What it is, in words for people.
    public var words: String {
        switch self {
        case .key(_, let keyID, let teamID): "key \(keyID) of team \(teamID)"
        case .certificate(let certificate): "certificate (\(certificate.description.subject))"
        }
    }
}
