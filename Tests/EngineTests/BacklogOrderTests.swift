import Configuration
import Delivery
import EventLoop
import Testing

@testable import Engine

@Suite struct `A push that takes the place of an older one under an ordering key` {
    private func offsets(_ harness: EngineHarness) -> [Int64] {
        var offsets: [Int64] = []
        while let id = harness.send() {
            offsets.append(harness.offset(id))
            #expect(harness.send() == nil)
            harness.respond(id, 200)
        }
        return offsets
    }

    @Test func `is sent in its turn, after its predecessors and before its successors`() throws {
        let harness = try backlogHarness(orderedByDevice: true)
        harness.order(offset: 0, "1")
        harness.order(offset: 1, "2")
        harness.order(offset: 2, "3")
        harness.order(offset: 3, "2")
        #expect(harness.superseded() == [1])
        #expect(offsets(harness) == [0, 3, 2])
        harness.settle()
        #expect(harness.next() == 4)
    }

    @Test func `waits for its predecessor in flight`() throws {
        let harness = try backlogHarness(orderedByDevice: true)
        harness.order(offset: 0)
        let first = try #require(harness.send())
        harness.order(offset: 1)
        harness.order(offset: 2)
        #expect(harness.superseded() == [1])
        #expect(harness.send() == nil)
        harness.respond(first, 200)
        #expect(offsets(harness) == [2])
    }

    @Test func `goes first when it supersedes its predecessor`() throws {
        let harness = try backlogHarness(orderedByDevice: true)
        harness.order(offset: 0)
        let first = try #require(harness.send())
        harness.order(offset: 1, "8")
        harness.order(offset: 2)
        harness.respond(first, 503, "ServiceUnavailable")
        #expect(harness.superseded() == [0])
        #expect(offsets(harness) == [1, 2])
    }

    @Test func `keeps the turn of one that waits, without its back-off`() throws {
        let harness = try backlogHarness(orderedByDevice: true)
        harness.order(offset: 0)
        try harness.sendAndRespond(503, "ServiceUnavailable")
        harness.order(offset: 1, "8")
        harness.order(offset: 2)
        #expect(offsets(harness) == [2, 1])
    }

    @Test func `goes to the end if it has another key, and the older one's successor waits on`()
        throws
    {
        let harness = try backlogHarness { $0.ordering = .key }
        harness.order("aa", offset: 0, key: "ada")
        let first = try #require(harness.send())
        harness.order("bb", offset: 1, key: "ada")
        harness.order("cc", offset: 2, key: "ada")
        harness.order("bb", offset: 3, key: "bob")
        #expect(harness.superseded() == [1])
        #expect(harness.deliverAll() == [3])
        harness.respond(first, 200)
        #expect(harness.deliverAll() == [2])
        harness.settle()
        #expect(harness.next() == 4)
    }

    @Test func `is abandoned with the others`() throws {
        let harness = try backlogHarness(orderedByDevice: true)
        harness.order(offset: 0)
        let first = try #require(harness.send())
        for offset in 1..<6 { harness.order(offset: Int64(offset), "\(offset % 2)") }
        harness.settle()
        harness.engine.revoking([AssignmentID(0)])
        harness.respond(first, 200)
        harness.settle()
        #expect(harness.openRecords == 0 && harness.next() == 4)
    }
}

@Suite struct `The index of buffered pushes` {
    @Test func `stays as small as what is buffered`() throws {
        let harness = try backlogHarness()
        for offset in 0..<2000 {
            harness.order("ab\(100_000 + offset)", offset: Int64(offset))
            try harness.sendAndRespond(200)
            harness.settle()
            let count = harness.engine.backlogCell.value.count
            #expect(count <= Backlog.minTrimmed + 2)
        }
    }

    @Test func `names the last push with a key, until that ends`() {
        let pushes = PushTable(capacity: 1)
        var backlog = Backlog(isUsed: true)
        #expect(backlog[7] == nil)
        let (first, second) = (PushID(slot: 0, generation: 1), PushID(slot: 1, generation: 1))
        backlog.add(first, 7, pushes)
        backlog.add(second, 7, pushes)
        backlog.add(first, 8, pushes)
        #expect(backlog[7] == second && backlog[8] == first && backlog.count == 2)
        backlog.end(7, by: second, sequence: 5, pushes)
        #expect(backlog[7] == nil && backlog.count == 1)
        let isBeforeEnd = backlog.hasEnd(7, after: 4)
        let isAfterEnd = !backlog.hasEnd(7, after: 5)
        let hasOther = backlog.hasEnd(8, after: 0)
        #expect(isBeforeEnd && isAfterEnd && !hasOther)
    }

    @Test func `keeps the push that was just added, which is not open yet`() {
        let pushes = PushTable(capacity: 1)
        var backlog = Backlog(isUsed: true)
        for number in 0...Backlog.minTrimmed {
            backlog.add(PushID(slot: number, generation: 1), UInt64(number), pushes)
        }
        let last = Backlog.minTrimmed
        #expect(backlog[UInt64(last)] == PushID(slot: last, generation: 1))
        #expect(backlog.count == 1)
    }
}

@Suite struct `An ordering key` {
    private let ids = (0..<4).map { PushID(slot: $0, generation: 1) }

    /// The keys of four pushes that wait for one another.
    private func keys() -> OrderingKeys {
        var keys = OrderingKeys()
        for id in ids { _ = keys.add(id, key: 7) }
        return keys
    }

    @Test func `closes the gap of a push that is taken out`() {
        var keys = keys()
        keys.takeOut(ids[1])
        keys.takeOut(ids[2])
        #expect(keys.key(of: ids[1]) == nil)
        #expect(keys.successor(of: ids[0]) == ids[3])
        #expect(keys.remove(ids[1]) == nil)
        #expect(keys.remove(ids[0]) == ids[3])
        #expect(keys.remove(ids[3]) == nil && keys.tail(of: 7) == nil)
    }

    @Test func `ends with the one before it if the last one is taken out`() {
        var keys = keys()
        keys.takeOut(ids[3])
        #expect(keys.tail(of: 7) == ids[2] && keys.successor(of: ids[2]) == nil)
        let next = PushID(slot: 4, generation: 1)
        #expect(keys.add(next, key: 7) == ids[2])
    }

    @Test func `begins anew after its only push is taken out`() {
        var keys = OrderingKeys()
        _ = keys.add(ids[0], key: 7)
        keys.takeOut(ids[0])
        #expect(keys.tail(of: 7) == nil)
        #expect(keys.add(ids[1], key: 7) == nil)
    }
}
