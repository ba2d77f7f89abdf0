import BridgeSamples
import Delivery
import EventLoop
import Testing

@testable import Engine

@Suite struct `A record that is alone when its partition leaves the worker` {
    /// Partition 1 has a record that is alone and in flight; partition 0 has others.
    private func group() throws -> DyingGroup {
        let group = try DyingGroup("", "e4;")
        group.deliver(10...10, partition: 1)
        _ = try #require(group.sendNext())
        #expect(group.metadata(1) == "e5,sent;")
        group.deliver(10...10)
        #expect(next(group) == nil)
        return group
    }

    /// The next push to send, after the engine was asked for records.
    private func next(_ group: DyingGroup) -> PushID? {
        group.harness.engine.asked(limit: 32, taken: 0)
        return group.nextToSend()
    }

    @Test func `keeps all others waiting until the last commit is stored`() throws {
        let group = try group()
        group.harness.engine.revoking([try #require(group.ids[1])])
        #expect(next(group) == nil)
        let id = try #require(group.inFlight.first)
        group.harness.respond(id, 200)
        group.harness.settle()
        #expect(next(group) == nil)
        try group.handOver()
        #expect(group.committed[1]?.next == 11 && group.metadata(1) == "e3;")
        #expect(group.sendNext() != nil)
    }

    @Test func `leaves its count if it is not done in time`() throws {
        let group = try group()
        group.harness.engine.revoking([try #require(group.ids[1])])
        group.commit()
        #expect(next(group) == nil)
        for _ in 0..<3 {
            group.harness.pass(milliseconds: 60_000)
            try group.handOver()
        }
        #expect(group.committed[1]?.next == 10 && group.metadata(1) == "e4,sent;")
        #expect(group.sendNext() != nil)
    }

    @Test func `keeps all others waiting while the worker stops`() throws {
        let group = try group()
        group.harness.engine.drain(until: group.harness.now + .seconds(10))
        #expect(next(group) == nil)
        let id = try #require(group.inFlight.first)
        group.harness.respond(id, 200)
        group.harness.settle()
        group.commitLast()
        #expect(group.committed[1]?.next == 11 && group.metadata(1).isEmpty)
    }

    @Test func `keeps nobody waiting once another member has the partition`() throws {
        let group = try group()
        group.harness.engine.lost([try #require(group.ids[1])])
        group.harness.shareProcess()
        #expect(group.sendNext() != nil)
    }

    @Test func `keeps nobody waiting once the log of its partition is replaced`() throws {
        let group = try DyingGroup("e3;", "")
        group.deliver(10...12)
        group.commit()
        #expect(group.metadata() == "e4;" && group.openRecords == 1)
        try group.replace()
        group.harness.shareProcess()
        group.deliver(10...10, partition: 1)
        for _ in 0..<4 { try group.finishNext() }
        #expect(group.openRecords == 0)
    }

    @Test func `is read again by the next owner if it was not taken`() throws {
        let group = try DyingGroup("e3;")
        group.deliver(10...20)
        try group.finishNext()
        for _ in 0..<3 { group.commit() }
        try group.revoke()
        #expect(group.committed[0]?.next == 11 && group.metadata() == "e3;")
        #expect(group.harness.engine.intakeCell.value.partitions.all.isEmpty)
    }
}
