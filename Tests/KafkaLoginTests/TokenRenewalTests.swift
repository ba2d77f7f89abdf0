import Delivery
import Kafka
import Testing

@testable import KafkaLogin

@Suite struct `The renewal of a login token` {
    private static let start = Instant.distantPast + .seconds(1000)

    /// Asks at the start; the response comes after so many seconds. Returns the error
    /// that the clients get if there is no valid token.
    private func finish(
        _ renewal: inout TokenRenewal, _ response: Result<FetchedToken, TokenFault>,
        askedAfter asked: Int64 = 0, respondedAfter responded: Int64,
        offer: (LoginToken) -> String? = { _ in nil }
    ) -> String? {
        renewal.finish(
            response,
            TokenRenewal.Request(
                source: "https://login", maxWait: .seconds(86_400),
                time: Self.start + .seconds(asked), wallClock: 5000 + asked * 1000),
            shares: (0.8, 1), now: Self.start + .seconds(responded), logger: nil, offer: offer)
    }

    @Test func `is due by the time of the request, however late the response came`() throws {
        var renewal = TokenRenewal()
        let token = try FetchedToken("t", life: .seconds(100), at: "s")
        var offered: LoginToken?
        let problem = finish(&renewal, .success(token), respondedAfter: 9) {
            offered = $0
            return nil
        }
        #expect(problem == nil && offered?.expires == 105_000)
        #expect(renewal.pace.due == Self.start + .seconds(80))
        #expect(renewal.pace.expires == Self.start + .seconds(100))
        #expect(renewal.figures.expiresAt == 105_000)
    }

    @Test func `fails if the library refuses the token`() throws {
        var renewal = TokenRenewal()
        let token = try FetchedToken("t", life: .seconds(100), at: "s")
        let problem = finish(&renewal, .success(token), respondedAfter: 0) { _ in "too old" }
        #expect(problem == "https://login: too old")
        #expect(renewal.figures.trouble?.detail == "https://login: too old")
        #expect(renewal.pace.failures == 1 && renewal.figures.fetchedAt == nil)
    }

    @Test func `fails the clients only when no token is valid, and remembers since when`()
        throws
    {
        var renewal = TokenRenewal()
        let token = try FetchedToken("t", life: .seconds(100), at: "s")
        #expect(finish(&renewal, .success(token), respondedAfter: 0) == nil)
        let fault = TokenFault.unavailable("no response")
        #expect(finish(&renewal, .failure(fault), askedAfter: 80, respondedAfter: 90) == nil)
        let problem = finish(&renewal, .failure(fault), askedAfter: 95, respondedAfter: 100)
        #expect(problem == "\(LoginTokens.unavailableMessage): no response")
        #expect(renewal.figures.trouble?.since == 85_000)
        #expect(renewal.figures.failures == 2)
        let next = try FetchedToken("u", life: .seconds(100), at: "s")
        #expect(
            finish(&renewal, .success(next), askedAfter: 110, respondedAfter: 110) == nil)
        #expect(renewal.figures.trouble == nil && renewal.figures.fetchedAt == 115_000)
    }
}
