import Delivery
import EventLoop
import Testing

@testable import Engine

@Suite struct `Records that are held of a log that is replaced` {
    @Test func `are taken at once while there is room`() throws {
        let group = try DyingGroup("e3;")
        group.commit()
        group.deliver(10...12)
        try group.replace()
        #expect(group.openRecords == 3)
        #expect(group.harness.sendAll().count == 3)
    }

    @Test func `are not taken while an operator has paused the connector`() throws {
        let group = try DyingGroup("e3;")
        group.commit()
        group.deliver(10...12)
        group.harness.engine.setPaused(true)
        try group.replace()
        group.harness.pass(milliseconds: 1)
        #expect(group.harness.recordsInFlight == 0 && group.openRecords == 3)
        group.harness.engine.setPaused(false)
        group.harness.pass(milliseconds: 1)
        #expect(group.harness.sendAll().count == 3)
    }

    /// A group whose window of one record is full when a log with three held records is replaced.
    private func fullGroup() throws -> (DyingGroup, inFlight: PushID) {
        let group = try DyingGroup("e3;", "") { $0.maxInFlight = 1 }
        group.deliver(10...10, partition: 1)
        let inFlight = try #require(group.sendNext())
        group.deliver(10...12)
        try group.replace()
        #expect(group.harness.recordsInFlight == 1 && group.openRecords == 4)
        return (group, inFlight)
    }

    /// Finishes a push; what the window then has room for is taken.
    private func finish(_ push: PushID, _ group: DyingGroup) -> Int {
        group.harness.respond(push, 200)
        let count = group.harness.settle().outcomes.count
        group.harness.pass(milliseconds: 1)
        return count
    }

    @Test func `are taken as soon as the window has room`() throws {
        let (group, inFlight) = try fullGroup()
        var outcomes = finish(inFlight, group)
        for _ in 0..<3 {
            #expect(group.harness.recordsInFlight == 1)
            outcomes += finish(try #require(group.sendNext()), group)
        }
        #expect(outcomes == 4 && group.openRecords == 0)
        #expect(group.harness.engine.intakeCell.value.partitions[try #require(group.ids[0])] == nil)
    }

    @Test func `are taken while the worker stops, although an operator has paused it`() throws {
        let group = try DyingGroup("e3;")
        group.commit()
        group.deliver(10...12)
        group.harness.engine.setPaused(true)
        try group.replace()
        group.harness.engine.drain(until: group.harness.now + .seconds(10))
        group.harness.pass(milliseconds: 1)
        for push in group.harness.sendAll() { group.harness.respond(push, 200) }
        #expect(group.harness.settle().outcomes.count == 3 && group.openRecords == 0)
    }

    @Test func `are taken while the worker stops`() throws {
        let (group, inFlight) = try fullGroup()
        group.harness.engine.drain(until: group.harness.now + .seconds(10))
        var outcomes = finish(inFlight, group)
        outcomes += finish(try #require(group.sendNext()), group)
        #expect(outcomes == 2 && group.openRecords == 2)
        // The time is up: what was not sent has an outcome all the same.
        group.harness.engine.close()
        outcomes += group.harness.settle().outcomes.count
        #expect(outcomes == 4 && group.openRecords == 0)
    }
}
