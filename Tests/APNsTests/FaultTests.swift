import Encoding
import HTTP2
import Testing

@testable import APNs

@Suite struct `A pool with many faults` {
    @Test(arguments: UInt64(1)...20)
    func `ends every request exactly once and never breaks a rule`(_ seed: UInt64) throws {
        var random = Randomness(seed: seed)
        let bench = try Bench(connections: 3, server: HTTP2ServerSettings(streamLimit: 8))
        bench.network.chance = random.next()
        bench.start()
        var sent: [Int] = []
        for tag in 0..<200 {
            if bench.send(tag, bytes: random.below(4096)) { sent.append(tag) }
            if random.chance(3) { bench.turn() }
            Self.disturb(bench, &random)
            if random.chance(40) { bench.pass(.seconds(random.below(20))) }
        }
        bench.network.maxBytesPerSend = .max
        bench.pass(.seconds(60))
        #expect(bench.endedTags.sorted() == sent)
        #expect(bench.openRequests == 0)
        #expect(bench.network.peers.allSatisfy { $0.complaint == nil })
        #expect(bench.network.peers.allSatisfy { $0.maxOpen <= 8 })
        #expect(!sent.isEmpty)
        // No request that was reported as not sent was ever seen by a server.
        for tag in bench.notSent { #expect(!bench.hadResponse(tag)) }
    }

    /// One thing that servers and networks do.
    static func disturb(_ bench: Bench, _ random: inout Randomness) {
        guard let peer = bench.network.peers.randomElement(using: &random) else { return }
        switch random.below(60) {
        case 0: peer.breakConnection()
        case 1: peer.end()
        case 2: peer.goAwayAfterSome(&random)
        case 3: peer.changeStreamLimit(1 + random.below(8))
        case 4: bench.network.maxBytesPerSend = [0, 100, 1000, .max, .max, .max][random.below(6)]
        case 5: if let open = peer.openRequests.first { peer.reset(open, code: 2) }
        case 6: peer.isSilent.toggle()
        case 7...10: peer.respondToAll(status: 503, body: #"{"reason":"Shutdown"}"#, atMost: 1)
        case 11...50: peer.respondToAll()
        default: break
        }
    }
}
