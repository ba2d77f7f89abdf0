internal import EventLoop
internal import TLS

/// Everything that a pool's connections are created from.
final class Dialer: Sendable {
    let endpoint: APNsEndpoint
    let credential: APNsCredential
    let settings: PoolSettings
    /// Which of the route's credentials this is.
    let version: CredentialVersion
    /// The value of `:authority`.
    let authority: [UInt8]
    /// The values of `apns-topic` that may be sent; empty for any.
    let apnsTopics: [[UInt8]]
    /// APNs allows all streams at once: only provider tokens must first have a request accepted.
    let isProved: Bool

    init(
        endpoint: APNsEndpoint, credential: APNsCredential, settings: PoolSettings,
        version: CredentialVersion = .first
    ) {
        self.version = version
        self.endpoint = endpoint
        self.credential = credential
        self.settings = settings
        authority = endpoint.authority
        apnsTopics = credential.apnsTopics
        if case .certificate = credential { isProved = true } else { isProved = false }
    }

    /// True when the credential is valid for an `apns-topic`.
    func allows(apnsTopic: [UInt8]) -> Bool {
        apnsTopics.isEmpty || apnsTopics.contains(apnsTopic)
    }

    /// The host whose addresses are dialled: the proxy's, if there is one.
    var target: (host: String, port: UInt16) {
        endpoint.proxy.map { ($0.host, $0.port) } ?? (endpoint.host, endpoint.port)
    }

    /// The delay between the first opens of two connections.
    var stagger: Duration {
        if let stagger = settings.stagger { return stagger }
        return endpoint.isLoopback && endpoint.proxy == nil ? .zero : .milliseconds(250)
    }

    /// How failures name an address: host and port, the proxy, and the address itself if it
    /// differs.
    func name(at address: SocketAddress) -> String {
        let text = address.description
        return text == (endpoint.proxy?.address ?? endpoint.address) ? name : "\(name) (\(text))"
    }

    /// Host and port in the usual notation, and the proxy if there is one.
    var name: String {
        endpoint.proxy.map { "\(endpoint.address) through the proxy \($0.address)" }
            ?? endpoint.address
    }
}
