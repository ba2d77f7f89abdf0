internal import Configuration
internal import Encoding

/// Signs the tokens with which clients log in to Amazon MSK: each is the address of a request that
/// the broker sends to AWS in the client's name.
///
/// Source: AWS, *aws-msk-iam-sasl-signer*.
struct MSKTokenSigner: Sendable {
    var environment: AWSEnvironment
    private let role: String?
    /// The credentials of the last token.
    private var credentials: AWSCredentials?
    /// True after a broker has rejected a token of these credentials.
    private var isRejected = false

    /// How many seconds a token is valid.
    private static let seconds = 900

    init(_ environment: AWSEnvironment, _ settings: KafkaLoginSettings.AWSMSK) {
        self.environment = environment
        role = settings.roleARN
    }

    /// Where the credentials of the last token came from.
    var source: String { credentials?.source ?? "AWS credentials" }

    /// When they expire; nil before the first token.
    var note: String? {
        credentials.map { credentials in
            guard let expires = credentials.expires else {
                return "the credentials do not expire"
            }
            return "the credentials expire at \(Timestamp.text(milliseconds: expires))"
        }
    }

    /// A broker has rejected a login: the next token is signed with credentials that are looked for
    /// again.
    mutating func rejected() { isRejected = true }

    /// Signs a token at a wall-clock time in milliseconds; looks for credentials unless those of
    /// the last token are valid as long as the new one.
    mutating func fetch(
        now: Int64, _ send: AWSRequest.Sender
    ) throws(TokenFault) -> FetchedToken {
        let end = now + Int64(Self.seconds) * 1000
        let isFresh = credentials?.expires.map { $0 >= end } ?? false
        let current: AWSCredentials
        if isFresh, !isRejected, let credentials {
            current = credentials
        } else {
            current = try find(now: now, send)
            credentials = current
            isRejected = false
        }
        let life = min(end, current.expires ?? end) - now
        return try FetchedToken(
            Self.token(current, region: environment.region, now: now),
            life: .milliseconds(life), at: current.source)
    }

    private func find(
        now: Int64, _ send: AWSRequest.Sender
    ) throws(TokenFault) -> AWSCredentials {
        var chain = AWSCredentialChain(environment, now: now)
        let found = try chain.credentials(send)
        guard let role else { return found }
        return try AWSTokenService(environment: environment, now: now).assumeRole(
            role, with: found, send)
    }

    /// The token of credentials for the clusters of a region.
    static func token(_ credentials: AWSCredentials, region: String, now: Int64) -> String {
        let signature = AWSSignature(
            credentials: credentials, region: region, service: "kafka-cluster", now: now)
        let url = signature.presigned(
            host: "kafka.\(region).amazonaws.com", query: [("Action", "kafka-cluster:Connect")],
            seconds: seconds)
        return String(decoding: Base64.url.encode(Array(url.utf8)), as: UTF8.self)
    }
}
