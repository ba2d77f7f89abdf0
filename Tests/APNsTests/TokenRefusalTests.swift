import Testing

@testable import APNs

@Suite struct `A provider token that APNs rejects` {
    private static let noon = `A provider token`.noon

    private static func authorization(_ bench: Bench) -> String? {
        bench.network.peers.last?.requests.last?.fields["authorization"]
    }

    /// Sends one push over the newest connection and lets the server respond.
    private static func push(_ bench: Bench, _ status: Int = 200, _ reason: String = "") throws {
        _ = bench.send(1)
        bench.settle()
        let peer = try #require(bench.network.peers.last)
        peer.respond(
            peer.requests.count - 1, status: status,
            body: reason.isEmpty ? "" : #"{"reason":"\#(reason)"}"#)
        bench.settle()
    }

    @Test func `as too old is not used again, even within the same half hour`() throws {
        let bench = try Bench()
        bench.start()
        try Self.push(bench)
        bench.pass(.seconds(60))
        let old = Self.authorization(bench)
        try Self.push(bench, 403, "ExpiredProviderToken")
        bench.pass(.seconds(2))
        try Self.push(bench)
        #expect(bench.network.peers.count == 2)
        #expect(Self.authorization(bench) != nil)
        #expect(Self.authorization(bench) != old)
    }

    @Test(arguments: ["InvalidProviderToken", "Forbidden", "SomethingNew", ""])
    func `that was signed with a fast clock is replaced once the clock is right`(
        reason: String
    ) throws {
        let bench = try Bench()
        bench.network.wallClock = (Self.noon + 2 * 3600) * 1000
        bench.start()
        try Self.push(bench)
        let early = Self.authorization(bench)
        bench.network.wallClock = (Self.noon + 60) * 1000
        try Self.push(bench, 403, reason)
        #expect(Self.authorization(bench) == early)
        try Self.push(bench)
        #expect(Self.authorization(bench) != early)
        #expect(bench.network.peers.count == 1)
    }

    @Test func `is ignored once it is no longer in use`() throws {
        let bench = try Bench.warm()
        bench.pass(.seconds(10))
        #expect(bench.send(1))
        bench.settle()
        bench.pass(.seconds(10))
        let check = bench.pool.keepers[0].current?.connection.tokenUse.nextCheck
        bench.pool.keepers[0].current?.connection.tokenUse.since = bench.network.now
        bench.network.peers[0].respond(1, status: 403, body: #"{"reason":"InvalidProviderToken"}"#)
        bench.settle()
        #expect(bench.pool.keepers[0].current?.connection.tokenUse.nextCheck == check)
    }

    @Test func `as too old is issued later, as soon as APNs accepts a change`() throws {
        let (tokens, _) = try `A provider token`.tokens()
        let first = try tokens.token(wallClock: (Self.noon + 60) * 1000)
        tokens.expired(first)
        let early = try tokens.token(wallClock: (Self.noon + 600) * 1000)
        #expect(early.issuedAt == Self.noon + 1)
        tokens.expired(early)
        let late = try tokens.token(wallClock: (Self.noon + 1330) * 1000)
        #expect(late.issuedAt == Self.noon + 1260)
        #expect(try tokens.token(wallClock: (Self.noon + 1800) * 1000) == late)
        let next = try tokens.token(wallClock: (Self.noon + 1860) * 1000)
        #expect(next.issuedAt == Self.noon + 1800)
        #expect(tokens.renewals == 2)
    }

    @Test func `as too old by many responses is replaced once`() throws {
        let (tokens, _) = try `A provider token`.tokens()
        let first = try tokens.token(wallClock: (Self.noon + 60) * 1000)
        tokens.expired(first)
        let second = try tokens.token(wallClock: (Self.noon + 61) * 1000)
        for _ in 0..<5 { tokens.expired(first) }
        #expect(try tokens.token(wallClock: (Self.noon + 62) * 1000) == second)
        #expect(tokens.renewals == 1)
    }

    @Test func `for too many updates is replaced by the previous one for 20 minutes`() throws {
        let bench = try Bench()
        bench.network.wallClock = (Self.noon + 1800 + 30) * 1000
        bench.start()
        try Self.push(bench)
        let first = Self.authorization(bench)
        bench.pass(.seconds(20 * 60 + 1))
        try Self.push(bench, 429, "TooManyProviderTokenUpdates")
        #expect(Self.authorization(bench) != first)
        try Self.push(bench)
        #expect(Self.authorization(bench) == first)
        bench.pass(.seconds(60))
        try Self.push(bench)
        #expect(Self.authorization(bench) == first)
    }

    @Test func `for too many updates never returns to one that is almost an hour old`() throws {
        let bench = try Bench()
        bench.network.wallClock = (Self.noon + 1800 + 30) * 1000
        bench.start()
        try Self.push(bench)
        let first = Self.authorization(bench)
        bench.pass(.seconds(26 * 60))
        try Self.push(bench, 429, "TooManyProviderTokenUpdates")
        bench.pass(.seconds(60))
        try Self.push(bench)
        #expect(Self.authorization(bench) != first)
    }

    @Test func `for too many updates, without a previous one, pauses the connection`() throws {
        let bench = try Bench()
        bench.start()
        try Self.push(bench, 429, "TooManyProviderTokenUpdates")
        #expect(!bench.canSend(bodyBytes: 100))
        #expect(bench.failures.contains { $0.contains("for 60 s") })
        bench.pass(.seconds(59))
        #expect(!bench.canSend(bodyBytes: 100))
        bench.pass(.seconds(1))
        try Self.push(bench, 429, "TooManyProviderTokenUpdates")
        #expect(!bench.canSend(bodyBytes: 100))
        bench.pass(.seconds(60))
        try Self.push(bench)
        try Self.push(bench)
        #expect(bench.network.peers.count == 1)
        #expect(bench.network.peers[0].requests.count == 4)
    }

    @Test func `for too many updates counts once for all requests in flight`() throws {
        let bench = try Bench()
        bench.network.wallClock = (Self.noon + 1800 + 30) * 1000
        bench.start()
        try Self.push(bench)
        let first = Self.authorization(bench)
        bench.pass(.seconds(20 * 60 + 1))
        for tag in 1...3 { _ = bench.send(tag) }
        bench.pass(.milliseconds(10))
        let peer = try #require(bench.network.peers.last)
        for index in 1...3 {
            peer.respond(
                index, status: 429, body: #"{"reason":"TooManyProviderTokenUpdates"}"#)
            bench.settle()
        }
        try Self.push(bench)
        #expect(Self.authorization(bench) == first)
    }

    @Test func `for a key unrelated to the previous one is sent over a new connection`() throws {
        let bench = try Bench.warm()
        bench.pass(.seconds(20))
        try Self.push(bench, 403, "UnrelatedKeyIdInToken")
        #expect(bench.network.peers.count == 2)
        try Self.push(bench)
        #expect(bench.network.peers[1].requests.count == 1)
    }
}
