import Delivery
import Mapping
import Testing

@testable import SchemaRegistry

@Suite struct `Look-ups that do not succeed` {
    private static let start = Instant.distantPast + .seconds(1000)

    private func text(_ response: SchemaResult) -> String {
        switch response {
        case .found(.unknown): "given up"
        case .found: "found"
        case .unavailable(let detail): "unavailable: \(detail)"
        case .notYet(let detail): "not yet: \(detail)"
        }
    }

    @Test func `are repeated after pauses that grow to a quarter of a minute`() {
        var queue = LookupQueue()
        var now = Self.start
        queue.add(.id(1), isLastTry: false, now: now)
        queue.add(.id(2), isLastTry: false, now: now)
        var pauses: [Int64] = []
        for _ in 0..<6 {
            guard let id = queue.due(at: now) else { return #expect(Bool(false)) }
            #expect(text(queue.settle(id, .unavailable("x"), now: now)) == "unavailable: x")
            #expect(queue.due(at: now) == nil, "one schema at a time")
            guard let next = queue.next else { return #expect(Bool(false)) }
            pauses.append(now.duration(to: next).components.seconds)
            now = next
        }
        #expect(pauses == [1, 2, 4, 8, 15, 15])
        for id in [SchemaID.id(1), .id(2)] {
            #expect(queue.due(at: now) == id)
            #expect(text(queue.settle(id, .schema(.unusable("")), now: now)) == "found")
        }
        #expect(queue.isEmpty && queue.next == nil)
    }

    @Test func `end after five minutes in which the registry does not know the schema`() {
        var queue = LookupQueue()
        var now = Self.start
        queue.add(.id(1), isLastTry: false, now: now)
        while let next = queue.next {
            now = max(now, next)
            let response = text(queue.settle(.id(1), .unknown("no"), now: now))
            #expect(response == (now < Self.start + .seconds(300) ? "not yet: no" : "given up"))
        }
        #expect(now == Self.start + .seconds(300))
        queue.add(.id(1), isLastTry: true, now: now)
        #expect(text(queue.settle(.id(1), .unknown("no"), now: now)) == "given up")
    }

    /// Asks for a schema that the registry does not know, until that is believed; how long it took.
    private func exhaust(_ id: SchemaID, _ queue: inout LookupQueue, _ now: inout Instant)
        -> Duration
    {
        let start = now
        queue.add(id, isLastTry: false, now: now)
        while let next = queue.next {
            now = max(now, next)
            _ = queue.settle(id, .unknown("no"), now: now)
        }
        return now - start
    }

    @Test func `of one ID after another share the five minutes, which come back within an hour`() {
        var queue = LookupQueue()
        var now = Self.start
        #expect(exhaust(.id(1), &queue, &now) == .seconds(300))
        for id in 2..<100 {
            #expect(exhaust(.id(UInt32(id)), &queue, &now) == .zero)
        }
        now += .seconds(600)
        #expect(exhaust(.id(100), &queue, &now) == .seconds(50))
        #expect(exhaust(.id(101), &queue, &now) <= .seconds(5))
        now += .seconds(3600)
        #expect(exhaust(.id(102), &queue, &now) == .seconds(300))
    }

    @Test func `are worth five minutes again once the registry was only late`() {
        var queue = LookupQueue()
        var now = Self.start
        _ = exhaust(.id(1), &queue, &now)
        now += .seconds(60)
        queue.add(.id(2), isLastTry: false, now: now)
        #expect(text(queue.settle(.id(2), .unknown("no"), now: now)) == "not yet: no")
        now += .seconds(5)
        #expect(text(queue.settle(.id(2), .schema(.unusable("")), now: now)) == "found")
        #expect(exhaust(.id(3), &queue, &now) == .seconds(300))
    }

    @Test func `do not count the time without a registry as time in which it does not know it`() {
        var queue = LookupQueue()
        queue.add(.id(1), isLastTry: false, now: Self.start)
        let later = Self.start + .seconds(3600)
        _ = queue.settle(.id(1), .unavailable("x"), now: Self.start)
        #expect(text(queue.settle(.id(1), .unknown("no"), now: later)) == "not yet: no")
    }

    @Test func `do not keep others from being looked up when only a schema is unknown`() {
        var queue = LookupQueue()
        queue.add(.id(1), isLastTry: false, now: Self.start)
        _ = queue.settle(.id(1), .unknown("no"), now: Self.start)
        queue.add(.id(2), isLastTry: false, now: Self.start)
        #expect(queue.due(at: Self.start) == .id(2))
    }
}
