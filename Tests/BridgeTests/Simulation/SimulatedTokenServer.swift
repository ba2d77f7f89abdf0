import BridgeTesting
import Configuration
import Delivery
import Encoding
import HTTPClient

@testable import KafkaLogin

/// A token endpoint of OAuth.
final class SimulatedTokenServer: SimulatedTokenSource {
    /// What it does when it is asked.
    struct Endpoint {
        /// How long its response takes; the client waits for ten seconds.
        var delay = Duration.milliseconds(5)
        /// The life of its tokens in seconds; nil where it gives out none.
        var life: Int64?
        /// Its response where it gives out none.
        var response = HTTPResponse.failed("connection refused")

        static func issues(_ life: Int64, after delay: Duration = .milliseconds(5)) -> Endpoint {
            Endpoint(delay: delay, life: life)
        }

        static func responds(_ status: Int, _ body: String) -> Endpoint {
            Endpoint(response: .responded(status: status, body: Array(body.utf8)))
        }

        static let away = Endpoint()
    }

    private static let timeout = Duration.seconds(10)

    /// What it does now.
    var endpoint: Endpoint
    private(set) var request: TokenRequest
    private let settings: KafkaLoginSettings.OAuth
    private let clock: SimulatedClock
    private var chance: SeededGenerator
    private var tokens: [String: SimulatedToken] = [:]

    /// Without an endpoint, the seed decides.
    init(_ world: World, _ endpoint: Endpoint? = nil) {
        var settings = KafkaLoginSettings.OAuth(tokenURL: "https://login.test", clientID: "bridge")
        settings.clientSecret = "open sesame"
        self.settings = settings
        request = TokenRequest(.oauth(settings))
        clock = world.clock
        var chance = world.seed.generator(167)
        self.endpoint = endpoint ?? Self.endpoint(&chance)
        self.chance = chance
    }

    var name: String { request.source }

    func ask(wallClock: Int64) -> SimulatedTokenResult {
        let delay = min(endpoint.delay, Self.timeout)
        let response = response(of: endpoint.delay > delay ? .away : endpoint)
        do throws(TokenFault) {
            let token = try request.fetch(settings, now: wallClock) { _, _ in response }
            return SimulatedTokenResult(result: .success(token), delay: delay)
        } catch {
            return SimulatedTokenResult(result: .failure(error), delay: delay)
        }
    }

    private func response(of endpoint: Endpoint) -> HTTPResponse {
        guard let life = endpoint.life else { return endpoint.response }
        let token = "t\(tokens.count + 1)"
        tokens[token] = SimulatedToken(
            issued: clock.now, validUntil: clock.now + .seconds(life))
        let body = #"{"access_token":"\#(token)","expires_in":\#(life)}"#
        return .responded(status: 200, body: Array(body.utf8))
    }

    func rejected() { request.rejected() }

    func issued(_ token: String) -> SimulatedToken? { tokens[token] }

    func change() { endpoint = Self.endpoint(&chance) }

    func heal() { endpoint = .issues(3600) }

    /// What an endpoint may do for a while; its tokens are valid for seconds.
    private static func endpoint(_ chance: inout SeededGenerator) -> Endpoint {
        let life = Int64(chance.number(in: 2...20))
        return switch chance.next() % 9 {
        case 0: .away
        case 1: .responds(503, "")
        case 2: .responds(200, #"{"token_type":"bearer"}"#)
        case 3: .responds(200, "<html>sign in</html>")
        // The secret was rotated.
        case 4: .responds(401, #"{"error":"invalid_client"}"#)
        case 5: .issues(0)
        case 6: .issues(life, after: .milliseconds(chance.number(in: 1...12_000)))
        default: .issues(life)
        }
    }
}
