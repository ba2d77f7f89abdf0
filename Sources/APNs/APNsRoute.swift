/// Where pushes go, and as whom: what a pool is made of.
public struct APNsRoute: Sendable {
    /// Where they go.
    public var endpoint: APNsEndpoint
    /// As whom.
    public var tokens: ProviderTokens
    /// How its connections behave.
    public var settings: PoolSettings

    /// Describes a route.
    public init(endpoint: APNsEndpoint, tokens: ProviderTokens, settings: PoolSettings) {
        self.endpoint = endpoint
        self.tokens = tokens
        self.settings = settings
    }
}
