import Testing

@testable import APNs

@Suite struct `A connection's provider token` {
    static func authorization(_ bench: Bench, _ peer: Int) -> String? {
        bench.network.peers[peer].requests.last?.fields["authorization"]
    }

    static func push(_ bench: Bench, peer: Int = 0) {
        _ = bench.send(1)
        bench.settle()
        bench.network.peers[peer].respond(bench.network.peers[peer].requests.count - 1)
        bench.settle()
    }

    @Test func `is kept for 20 minutes even if there is a newer one`() throws {
        let bench = try Bench()
        // Half past and 59 seconds: the next second begins a new generation.
        bench.network.wallClock = (`A provider token`.noon + 1800 + 59) * 1000
        bench.start()
        Self.push(bench)
        let first = Self.authorization(bench, 0)
        bench.pass(.seconds(2))
        Self.push(bench)
        #expect(Self.authorization(bench, 0) == first)
        bench.pass(.seconds(20 * 60 - 3))
        Self.push(bench)
        #expect(Self.authorization(bench, 0) == first)
        bench.pass(.seconds(2))
        Self.push(bench)
        #expect(Self.authorization(bench, 0) != first)
    }

    @Test func `is never older than an hour`() throws {
        let bench = try Bench(tune: { $0.maxAge = .seconds(1_000_000_000) })
        bench.start()
        var adoptions: [(at: Int64, token: String)] = []
        for _ in 0..<(6 * 60) {
            Self.push(bench)
            let token = try #require(Self.authorization(bench, 0))
            if adoptions.last?.token != token {
                adoptions.append((bench.network.wallClock, token))
            }
            let issued = ProviderToken.issueTime(wallClock: adoptions.last?.at ?? 0)
            #expect(bench.network.wallClock / 1000 - issued < 3600)
            bench.pass(.seconds(60))
        }
        #expect(adoptions.count >= 12)
        for (one, next) in zip(adoptions, adoptions.dropFirst()) {
            #expect(next.at - one.at >= 20 * 60 * 1000)
        }
    }

    @Test func `is the newest on a new connection, and the same on all new ones`() throws {
        let bench = try Bench(connections: 2)
        bench.start()
        _ = bench.send(1)
        _ = bench.send(2)
        bench.settle()
        let tokens = bench.network.peers.map { $0.requests[0].fields["authorization"] }
        #expect(tokens.count == 2)
        #expect(tokens[0] == tokens[1])
    }
}
