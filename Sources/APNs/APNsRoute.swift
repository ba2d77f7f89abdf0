/// Where pushes go, and as whom: what a pool is made of.
public struct APNsRoute: Sendable {
    /// Where they go.
    public var endpoint: APNsEndpoint
    /// As whom.
    public var credential: APNsCredential
    /// How its connections behave.
    public var settings: PoolSettings

    /// Describes a route; the endpoint's side of TLS is the one that goes with the credential.
    public init(endpoint: APNsEndpoint, credential: APNsCredential, settings: PoolSettings) {
        self.endpoint = endpoint
        self.credential = credential
        self.settings = settings
    }

    /// Describes a route for the provider tokens of a key.
    public init(endpoint: APNsEndpoint, tokens: ProviderTokens, settings: PoolSettings) {
        self.init(endpoint: endpoint, credential: .tokens(tokens), settings: settings)
    }
}
