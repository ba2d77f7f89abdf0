/// The `kafka_login:` block: where the tokens come from with which the bridge logs in to Kafka.
public enum KafkaLoginSettings: Hashable, Sendable {
    /// An OAuth server gives them out.
    case oauth(OAuth)
    /// Something else keeps the current one in this file.
    case file(path: String)
    /// The bridge signs them for Amazon MSK, with credentials that AWS gives to the process.
    case awsMSK(AWSMSK)

    /// How tokens are requested from an OAuth server.
    public struct OAuth: Hashable, Sendable {
        /// The address of the server's token endpoint.
        public var tokenURL: String
        /// The name by which the server knows the bridge.
        public var clientID: String
        /// The password that belongs to it.
        public var clientSecret: String?
        /// The path of a file with a signed assertion, instead of a password.
        public var assertionFile: String?
        /// What the token is to be valid for, as the server names it.
        public var scope: String?
        /// Names of the pairs that are sent to the broker, sorted.
        public var extensionNames: [String] = []
        /// Their values.
        public var extensionValues: [String] = []
        /// The path of a PEM file with the certificate authorities to trust; nil for the system's.
        public var caFile: String?

        /// Creates a request without proof of who sends it.
        public init(tokenURL: String, clientID: String) {
            self.tokenURL = tokenURL
            self.clientID = clientID
        }
    }
    /// How tokens are signed for the brokers of Amazon MSK that use IAM.
    public struct AWSMSK: Hashable, Sendable {
        /// The region of the cluster.
        public var region: String
        /// The role to assume with the credentials that are found; nil to use those themselves.
        public var roleARN: String?
        /// The variables of the process that say where credentials are: `HOME`, and those whose
        /// names begin with `AWS_`. Some are secrets.
        public var environment: [String: String]

        /// Describes where the cluster is, and who logs in.
        public init(
            region: String, roleARN: String? = nil, environment: [String: String] = [:]
        ) {
            self.region = region
            self.roleARN = roleARN
            self.environment = environment
        }
    }
}
