import Configuration
import Delivery
import Testing

@testable import KafkaLogin

@Suite struct `When a login token is asked for` {
    private static let start = Instant.distantPast + .seconds(1000)

    @Test func `is at once for the first client, and then at 75 to 80 percent of its life`() {
        var pace = TokenPace()
        #expect(pace.due == nil)
        pace.needed(now: Self.start)
        #expect(pace.due == Self.start)
        #expect(TokenPace.renewal == 0.75...0.8)
        pace.fetched(
            life: .seconds(100), share: 0.8, maxWait: .seconds(86_400), now: Self.start)
        #expect(pace.due == Self.start + .seconds(80))
        // Another client gets the token that there is.
        pace.needed(now: Self.start + .seconds(5))
        #expect(pace.due == Self.start + .seconds(80))
        #expect(pace.isValid(at: Self.start + .seconds(99)))
        #expect(!pace.isValid(at: Self.start + .seconds(100)))
    }

    @Test func `grows after failures up to half a minute, and starts anew after a success`() {
        var pace = TokenPace()
        pace.needed(now: Self.start)
        var pauses: [Duration] = []
        for _ in 0..<7 {
            pace.failed(share: 1, now: Self.start)
            pauses.append((pace.due ?? Self.start) - Self.start)
        }
        #expect(pauses == [1, 2, 4, 8, 16, 30, 30].map { .seconds($0) })
        // A client that asks meanwhile does not shorten it.
        pace.needed(now: Self.start)
        #expect(pace.due == Self.start + .seconds(30))
        pace.fetched(life: .seconds(10), share: 0.8, maxWait: .seconds(30), now: Self.start)
        pace.failed(share: 0.5, now: Self.start)
        #expect(pace.due == Self.start + .milliseconds(500))
    }

    @Test func `ends when nobody uses it, and continues where it was`() {
        var pace = TokenPace()
        pace.needed(now: Self.start)
        pace.fetched(life: .seconds(100), share: 0.8, maxWait: .seconds(900), now: Self.start)
        pace.cancel()
        #expect(pace.due == nil)
        pace.needed(now: Self.start + .seconds(10))
        #expect(pace.due == Self.start + .seconds(80))
        pace.cancel()
        pace.needed(now: Self.start + .seconds(90))
        #expect(pace.due == Self.start + .seconds(90))
    }

    @Test func `is soon after a rejected login, but not again and again`() {
        var pace = TokenPace()
        pace.rejected(now: Self.start)
        #expect(pace.due == nil)
        pace.needed(now: Self.start)
        pace.fetched(
            life: .seconds(3600), share: 0.8, maxWait: .seconds(86_400), now: Self.start)
        pace.rejected(now: Self.start + .seconds(29))
        #expect(pace.due == Self.start + .seconds(2880))
        pace.rejected(now: Self.start + .seconds(30))
        #expect(pace.due == Self.start + .seconds(30))
    }

    @Test func `is a second after a file was read whose token is rejected`() {
        var pace = TokenPace()
        pace.needed(now: Self.start)
        pace.fetched(life: .seconds(300), share: 0.8, maxWait: .seconds(30), now: Self.start)
        let minAge = TokenRequest(.file(path: "token")).minAge
        pace.rejected(now: Self.start + .milliseconds(999), minAge: minAge)
        #expect(pace.due == Self.start + .seconds(30))
        pace.rejected(now: Self.start + .seconds(1), minAge: minAge)
        #expect(pace.due == Self.start + .seconds(1))
    }

    @Test func `is once a second at most, however short the token lives`() {
        var pace = TokenPace()
        pace.fetched(
            life: .milliseconds(1), share: 0.8, maxWait: .seconds(30), now: Self.start)
        #expect(pace.due == Self.start + .seconds(1))
    }
}
