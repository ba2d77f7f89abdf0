import BridgeTesting
import Configuration
import Delivery
import Encoding
import HTTPClient

@testable import KafkaLogin

/// Amazon Web Services as a bridge sees them that logs in to MSK: the services that give out
/// credentials, and brokers that check who has signed a token.
final class SimulatedAWS: SimulatedTokenSource {
    /// Where the bridge finds its credentials.
    enum Kind: CaseIterable, Sendable {
        case webIdentity, role, container, instance
    }

    /// What the services do when they are asked.
    struct Services {
        /// How long each response takes.
        var delay = Duration.milliseconds(5)
        /// The life of their credentials in seconds; nil where they give out none.
        var life: Int64?
        /// Their response where they give out none.
        var response = HTTPResponse.failed("connection refused")
        /// Whether an instance's metadata have forgotten each session when it is used.
        var forgetSessions = false

        static let away = Services()

        static func issue(_ life: Int64) -> Services { Services(life: life) }

        static func respond(_ status: Int, _ body: String) -> Services {
            Services(response: .responded(status: status, body: Array(body.utf8)))
        }
    }

    private static let region = "eu-west-1"
    private static let role = "arn:aws:iam::123456789012:role/bridge"
    /// How long a signed token is valid.
    private static let tokenLife = Duration.seconds(900)

    /// What the services do now.
    var services: Services
    /// What stands in the file by which the bridge says who it is to a container's agent, or to
    /// STS.
    let identity: SimulatedTokenFile
    let request: TokenRequest
    private var signer: MSKTokenSigner
    private let clock: SimulatedClock
    private var chance: SeededGenerator
    private var keys: [String: SimulatedToken] = [:]
    private var tokens: [String: SimulatedToken] = [:]
    private var sessions = 0
    /// How long the responses to the present attempt have taken.
    private var spent = Duration.zero

    init(_ world: World, _ kind: Kind) {
        identity = SimulatedTokenFile(world, stream: 179)
        let settings = Self.settings(kind, file: identity.path)
        request = TokenRequest(.awsMSK(settings))
        signer = MSKTokenSigner(AWSEnvironment(settings), settings)
        clock = world.clock
        chance = world.seed.generator(181)
        services = .away
        change()
    }

    private static func settings(_ kind: Kind, file: String) -> KafkaLoginSettings.AWSMSK {
        var environment = ["HOME": "/nonexistent"]
        switch kind {
        case .webIdentity:
            environment["AWS_WEB_IDENTITY_TOKEN_FILE"] = file
            environment["AWS_ROLE_ARN"] = role
        case .role:
            environment["AWS_ACCESS_KEY_ID"] = "AKID"
            environment["AWS_SECRET_ACCESS_KEY"] = "open+sesame"
        case .container:
            environment["AWS_CONTAINER_CREDENTIALS_FULL_URI"] = "http://169.254.170.23/v1"
            environment["AWS_CONTAINER_AUTHORIZATION_TOKEN_FILE"] = file
        case .instance: break
        }
        return KafkaLoginSettings.AWSMSK(
            region: region, roleARN: kind == .role ? role : nil, environment: environment)
    }

    var name: String { signer.source }

    func rejected() { signer.rejected() }

    func issued(_ token: String) -> SimulatedToken? { tokens[token] }

    func heal() {
        services = .issue(3600)
        identity.heal()
    }

    func change() {
        let life = Int64(chance.number(in: 2...20))
        services = .issue(chance.happens(30) ? life + 900 : life)
        switch chance.next() % 11 {
        case 0: services = .away
        case 1: services = .respond(503, "")
        case 2: services = .respond(200, "<html>sign in</html>")
        case 3: services = .respond(403, Self.error("AccessDenied"))
        case 4: services = .respond(400, Self.error("IDPCommunicationError"))
        // Expired before they come.
        case 5: services = .issue(0)
        case 6: services.delay = .milliseconds(chance.number(in: 1...12_000))
        case 7: services.forgetSessions = true
        default: break
        }
        if chance.happens(50) { identity.change() }
    }

    private static func error(_ code: String) -> String {
        "<ErrorResponse><Error><Code>\(code)</Code><Message>no</Message></Error></ErrorResponse>"
    }
}

/// How the services respond.
extension SimulatedAWS {
    func ask(wallClock: Int64) -> SimulatedTokenResult {
        spent = .milliseconds(1)
        do throws(TokenFault) {
            let token = try signer.fetch(now: wallClock) { respond(to: $0, wallClock) }
            if let key = Self.keyID(of: token.value).flatMap({ keys[$0] }) {
                tokens[token.value] = SimulatedToken(
                    issued: clock.now, validUntil: min(key.validUntil, clock.now + Self.tokenLife))
            }
            return SimulatedTokenResult(result: .success(token), delay: spent)
        } catch {
            return SimulatedTokenResult(result: .failure(error), delay: spent)
        }
    }

    private func respond(to request: AWSRequest, _ wallClock: Int64) -> HTTPResponse {
        let limit = Duration.seconds(request.isLocal ? 2 : 10)
        spent += min(services.delay, limit)
        guard services.delay <= limit else { return .failed("Timeout was reached") }
        guard let life = services.life else { return services.response }
        switch request.method {
        case .put:
            sessions += 1
            return Self.response("session-\(sessions)")
        case .get where request.url.contains("/latest/meta-data/"):
            let header = "X-aws-ec2-metadata-token: session-\(sessions)"
            guard !services.forgetSessions, request.headers == [header] else {
                return .responded(status: 401, body: [])
            }
            return Self.response(
                request.url.hasSuffix("/") ? "bridge" : json(credentials(life, wallClock)))
        case .get:
            let token = request.headers.first?.split(separator: " ").last.map(String.init)
            return isKnown(token)
                ? Self.response(json(credentials(life, wallClock)))
                : .responded(status: 401, body: Array(#"{"code":"InvalidToken"}"#.utf8))
        case .post(let form):
            return respond(toForm: String(decoding: form, as: UTF8.self), life, wallClock)
        }
    }

    /// STS: whoever has no keys presents the token of another issuer.
    private func respond(toForm form: String, _ life: Int64, _ wallClock: Int64) -> HTTPResponse {
        let name = "WebIdentityToken="
        if let field = form.split(separator: "&").first(where: { $0.hasPrefix(name) }) {
            guard isKnown(String(field.dropFirst(name.count))) else {
                let body = Self.error("InvalidIdentityToken")
                return .responded(status: 400, body: Array(body.utf8))
            }
        }
        let (keyID, expiration) = credentials(life, wallClock)
        return Self.response(
            "<Credentials><AccessKeyId>\(keyID)</AccessKeyId><SecretAccessKey>s</SecretAccessKey>"
                + "<SessionToken>t</SessionToken><Expiration>\(expiration)</Expiration>"
                + "</Credentials>")
    }

    private func isKnown(_ token: String?) -> Bool {
        token.flatMap { identity.issued($0) }.map { $0.validUntil > clock.now } ?? false
    }

    /// New credentials: the name of their key, and when they expire by the bridge's clock.
    private func credentials(_ life: Int64, _ wallClock: Int64) -> (String, String) {
        let keyID = "ASIA\(keys.count + 1)"
        keys[keyID] = SimulatedToken(
            issued: clock.now, validUntil: clock.now + .seconds(life))
        return (keyID, Timestamp.text(milliseconds: wallClock + life * 1000))
    }

    private func json(_ credentials: (keyID: String, expiration: String)) -> String {
        """
        {"Code": "Success", "AccessKeyId": "\(credentials.keyID)", "SecretAccessKey": "s",
        "Token": "t", "Expiration": "\(credentials.expiration)"}
        """
    }

    private static func response(_ body: String) -> HTTPResponse {
        .responded(status: 200, body: Array(body.utf8))
    }

    /// The key that signed a token, as a broker finds it there.
    private static func keyID(of token: String) -> String? {
        guard let bytes = Base64.url.decode(Array(token.utf8)) else { return nil }
        let url = String(decoding: bytes, as: UTF8.self)
        guard let name = url.firstRange(of: "X-Amz-Credential=") else { return nil }
        return String(url[name.upperBound...].prefix { $0 != "%" && $0 != "/" && $0 != "&" })
    }
}
