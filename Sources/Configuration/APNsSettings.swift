public import TLS

/// The `apns:` block: how to reach Apple, and as whom.
public struct APNsSettings: Sendable {
    /// Which of Apple's two services the device tokens belong to.
    public enum Environment: String, CaseIterable, Sendable {
        /// Apps from the App Store, TestFlight and the enterprise.
        case production
        /// Apps that Xcode installed.
        case development
    }

    /// Where to connect to.
    public var endpoint: EndpointSettings
    /// What outcomes say about the device tokens' environment.
    public var environment: Environment
    /// Signs the provider tokens.
    public var signingKey: SigningKey
    /// The key's ID: ten letters and digits.
    public var keyID: String
    /// The team's ID: ten letters and digits.
    public var teamID: String
    /// The app's bundle identifier, without the suffix of a push type.
    public var bundleID: String
    /// How many connections each worker keeps, 1 to 64.
    public var connections: Int
    /// The most requests that may be open on one connection; nil for as many as Apple allows.
    public var maxStreams: Int?

    /// Describes how to reach Apple.
    public init(
        endpoint: EndpointSettings, environment: Environment, signingKey: SigningKey, keyID: String,
        teamID: String, bundleID: String, connections: Int = 4, maxStreams: Int? = nil
    ) {
        self.endpoint = endpoint
        self.environment = environment
        self.signingKey = signingKey
        self.keyID = keyID
        self.teamID = teamID
        self.bundleID = bundleID
        self.connections = connections
        self.maxStreams = maxStreams
    }
}
