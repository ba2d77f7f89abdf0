internal import EventLoop
internal import TLS

/// What every connection of a pool is made from.
final class Dialer: Sendable {
    let endpoint: APNsEndpoint
    let tokens: ProviderTokens
    let settings: PoolSettings
    /// The value of `:authority`.
    let authority: [UInt8]

    init(endpoint: APNsEndpoint, tokens: ProviderTokens, settings: PoolSettings) {
        self.endpoint = endpoint
        self.tokens = tokens
        self.settings = settings
        authority = endpoint.authority
    }

    /// Host and port, and the address that was taken if it says more.
    func name(at address: SocketAddress) -> String {
        let text = address.description
        return text == name ? name : "\(name) (\(text))"
    }

    /// Host and port, as people write them.
    var name: String {
        endpoint.host.contains(":")
            ? "[\(endpoint.host)]:\(endpoint.port)" : "\(endpoint.host):\(endpoint.port)"
    }
}
