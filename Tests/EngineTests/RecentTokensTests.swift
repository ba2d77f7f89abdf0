import Delivery
import Encoding
import Testing

@testable import Engine

@Suite struct `The tokens that APNs has judged last` {
    private struct Judged {
        let token: UInt64
        var isBad: Bool
        var at: UInt64
    }

    private func count(_ judged: some Sequence<Judged>) -> RecentTokens.Count {
        var count = RecentTokens.Count()
        for one in judged { count.note(isBad: one.isBad) }
        return count
    }

    @Test(arguments: [1, 2, 7, 100, 5000])
    func `are counted as a list of them would be, in bounded memory`(capacity: Int) {
        var random = SeededGenerator(seed: UInt64(capacity))
        var tokens = RecentTokens(capacity: capacity, window: .nanoseconds(500))
        var model: [Judged] = []
        var now: UInt64 = 0
        for _ in 0..<4000 {
            now += random.next() % 20
            // Few places in the index, so that tokens collide.
            let token = random.next() % 300 << 40
            let isBad = random.next() % 3 == 0
            tokens.note(token, isBad: isBad, now: Instant(nanoseconds: now))
            model.removeAll { $0.token == token }
            model.append(Judged(token: token, isBad: isBad, at: now))
            if model.count > capacity { model.removeFirst() }
            #expect(tokens.count == model.count)
            #expect(tokens.inWindow == count(model.filter { $0.at + 500 > now }))
            #expect(tokens.latest(40) == count(model.suffix(40)))
        }
        tokens.removeAll()
        #expect(tokens.count == 0 && tokens.latest(40).all == 0 && tokens.inWindow.all == 0)
    }
}
