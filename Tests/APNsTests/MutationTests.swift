import Testing

@testable import APNs

@Suite struct `A pool whose peer's bytes were changed` {
    enum Layer: CaseIterable { case tls, http2 }

    @Test(arguments: Layer.allCases)
    func `neither crashes nor loses a request`(_ layer: Layer) throws {
        for seed in UInt64(1)...80 {
            var random = Randomness(seed: seed)
            let mutate: ([UInt8]) -> [UInt8] = { bytes in
                var bytes = bytes
                guard !bytes.isEmpty, random.chance(3) else { return bytes }
                bytes[random.below(bytes.count)] ^= UInt8(1 + random.below(255))
                if random.chance(4) { bytes.removeLast(random.below(bytes.count)) }
                return bytes
            }
            let bench = try Bench { peer in
                switch layer {
                case .tls: peer.mutate = mutate
                case .http2: peer.mutatePlaintext = mutate
                }
            }
            bench.start()
            let sent = Self.push(bench)
            bench.pass(.seconds(60))
            #expect(bench.endedTags.sorted() == sent, "seed \(seed)")
            #expect(bench.openRequests == 0)
        }
    }

    /// Sends as much as the pool accepts, and responds; returns the accepted tags.
    static func push(_ bench: Bench) -> [Int] {
        var sent: [Int] = []
        for tag in 0..<60 {
            if bench.send(tag) { sent.append(tag) }
            guard tag % 3 == 0 else { continue }
            bench.settle()
            for peer in bench.network.peers { peer.respondToAll(status: 410, body: "{}") }
            for peer in bench.network.peers { peer.respondToAll() }
            bench.pass(.seconds(1))
        }
        return sent
    }
}

/// Numbers that look random and are the same each time (xorshift).
struct Randomness: RandomNumberGenerator {
    private var state: UInt64

    init(seed: UInt64) { state = seed &* 0x9E37_79B9_7F4A_7C15 | 1 }

    mutating func next() -> UInt64 {
        state ^= state << 13
        state ^= state >> 7
        state ^= state << 17
        return state
    }

    mutating func below(_ limit: Int) -> Int { Int(next() >> 33) % limit }
    mutating func chance(_ oneIn: Int) -> Bool { below(oneIn) == 0 }
}
