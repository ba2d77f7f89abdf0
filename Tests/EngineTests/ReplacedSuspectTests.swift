import Delivery
import Testing

@testable import Engine

@Suite struct `Records that are held one at a time of a log that is replaced` {
    @Test func `are taken at once while there is room`() throws {
        let group = try DyingGroup("s3;")
        group.commit()
        group.deliver(10...12)
        try group.replace()
        #expect(group.openRecords == 3)
        #expect(group.desk.sendAll().count == 3)
    }

    @Test func `are not taken while an operator has paused the connector`() throws {
        let group = try DyingGroup("s3;")
        group.commit()
        group.deliver(10...12)
        group.desk.engine.setPaused(true)
        try group.replace()
        group.desk.pass(milliseconds: 1)
        #expect(group.desk.engine.recordsInFlight == 0 && group.openRecords == 3)
        group.desk.engine.setPaused(false)
        group.desk.pass(milliseconds: 1)
        #expect(group.desk.sendAll().count == 3)
    }

    /// A group whose window of one record is full when a log with three held records is replaced.
    private func fullGroup() throws -> (DyingGroup, inFlight: PushID) {
        let group = try DyingGroup("s3;", "") { $0.maxInFlight = 1 }
        group.commit()
        group.deliver(10...12)
        group.deliver(10...10, partition: 1)
        let inFlight = try #require(group.sendNext())
        try group.replace()
        #expect(group.desk.engine.recordsInFlight == 1 && group.openRecords == 4)
        return (group, inFlight)
    }

    /// Finishes a push; what the window then has room for is taken.
    private func finish(_ push: PushID, _ group: DyingGroup) -> Int {
        group.desk.answer(push, 200)
        let count = group.desk.settle().outcomes.count
        group.desk.pass(milliseconds: 1)
        return count
    }

    @Test func `are taken as soon as the window has room`() throws {
        let (group, inFlight) = try fullGroup()
        var outcomes = finish(inFlight, group)
        for _ in 0..<3 {
            #expect(group.desk.engine.recordsInFlight == 1)
            outcomes += finish(try #require(group.sendNext()), group)
        }
        #expect(outcomes == 4 && group.openRecords == 0)
        #expect(group.desk.engine.partitions[try #require(group.ids[0])] == nil)
    }

    @Test func `are taken while the worker stops, although an operator has paused it`() throws {
        let group = try DyingGroup("s3;")
        group.commit()
        group.deliver(10...12)
        group.desk.engine.setPaused(true)
        try group.replace()
        group.desk.engine.drain(until: group.desk.now + .seconds(10))
        group.desk.pass(milliseconds: 1)
        for push in group.desk.sendAll() { group.desk.answer(push, 200) }
        #expect(group.desk.settle().outcomes.count == 3 && group.openRecords == 0)
    }

    @Test func `are taken while the worker stops`() throws {
        let (group, inFlight) = try fullGroup()
        group.desk.engine.drain(until: group.desk.now + .seconds(10))
        var outcomes = finish(inFlight, group)
        outcomes += finish(try #require(group.sendNext()), group)
        #expect(outcomes == 2 && group.openRecords == 2)
        // The time is up: what was not sent has an outcome all the same.
        group.desk.engine.close()
        outcomes += group.desk.settle().outcomes.count
        #expect(outcomes == 4 && group.openRecords == 0)
    }
}
