/// An endpoint, a credential and settings: what a pool is made from.
public struct APNsRoute: Sendable {
    /// Where pushes are sent.
    public var endpoint: APNsEndpoint
    /// The identity that they are sent with.
    public var credential: APNsCredential
    /// The settings of its connections.
    public var settings: PoolSettings

    /// Creates a route; the endpoint's TLS context must belong to the credential.
    public init(endpoint: APNsEndpoint, credential: APNsCredential, settings: PoolSettings) {
        self.endpoint = endpoint
        self.credential = credential
        self.settings = settings
    }

    /// Creates a route that uses the provider tokens of a key.
    public init(endpoint: APNsEndpoint, tokens: ProviderTokens, settings: PoolSettings) {
        self.init(endpoint: endpoint, credential: .tokens(tokens), settings: settings)
    }
}
