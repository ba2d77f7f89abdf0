/// A token with which clients log in to Kafka (SASL OAUTHBEARER).
public struct LoginToken: Equatable, Sendable {
    /// The token itself: a secret.
    public var value: String
    /// When it expires, in milliseconds since 1970.
    public var expires: Int64
    /// Pairs that are sent to the broker with it.
    public var extensions: [KafkaProperties.Property]

    /// Describes a token.
    public init(value: String, expires: Int64, extensions: [KafkaProperties.Property] = []) {
        self.value = value
        self.expires = expires
        self.extensions = extensions
    }
}
