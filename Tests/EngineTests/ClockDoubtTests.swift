import BridgeSamples
import Configuration
import Delivery
import Testing

@testable import Engine

@Suite struct `A wall clock that jumps` {
    private static let hour: Int64 = 3_600_000
    private var clocks = MachineClocks()

    /// A harness with ten pushes, whose time to live ends in an hour.
    private mutating func harness() throws -> EngineHarness {
        let harness = try EngineHarness()
        harness.assign()
        let end = (EngineHarness.start + Self.hour) / 1000
        for offset in 0..<10 {
            harness.push("ab\(10 + offset)", offset: Int64(offset), more: #","expiration":\#(end)"#)
        }
        clocks.pass(harness)
        return harness
    }

    private func isInDoubt(_ harness: EngineHarness) -> Bool { harness.engine.isClockInDoubt }

    private func pauses(_ harness: EngineHarness) -> [PartitionState.Pause] {
        harness.engine.partitionStates { _ in nil }.flatMap(\.pauses)
    }

    @Test mutating func `expires nothing, and stops taking records`() throws {
        let harness = try harness()
        clocks.pass(harness, setBy: 2 * Self.hour)
        #expect(isInDoubt(harness))
        for _ in 0..<10 {
            clocks.pass(harness)
            #expect(harness.send() == nil)
        }
        #expect(harness.settle().isEmpty && harness.openRecords == 10)
        #expect(pauses(harness) == [.clock])
        #expect(harness.flowChange()?.pause == [AssignmentID(0)])
        #expect(harness.engine.notices.map(\.name) == ["clockDoubted"])
    }

    @Test mutating func `still sends what does not look expired`() throws {
        let harness = try harness()
        clocks.pass(harness, setBy: 2 * Self.hour)
        harness.push("ff", offset: 10)
        #expect(harness.sendAll().map(harness.offset) == [10])
    }

    @Test mutating func `sends what it held back over no newer push`() throws {
        let harness = try EngineHarness()
        harness.assign()
        clocks.pass(harness)
        let end = (EngineHarness.start + Self.hour) / 1000
        harness.push("aa", offset: 0, more: #","collapse_id":"order-7","expiration":\#(end)"#)
        clocks.pass(harness, setBy: 2 * Self.hour)
        #expect(harness.send() == nil)
        harness.push("aa", offset: 1, more: #","collapse_id":"order-7""#)
        let newer = try #require(harness.send())
        harness.respond(newer, 200)
        harness.settle()
        clocks.pass(harness, setBy: -2 * Self.hour)
        #expect(!isInDoubt(harness) && harness.send() == nil)
        #expect(
            harness.settle().outcomes.first?.value.contains(
                #""verdict":"dropped","reason":"superseded""#) == true)
    }

    @Test mutating func `gives nothing up, however long that takes`() throws {
        let harness = try EngineHarness()
        harness.assign()
        clocks.pass(harness)
        let end = (EngineHarness.start + 5 * Self.hour) / 1000
        harness.push("aa", offset: 0, more: #","expiration":\#(end)"#)
        clocks.pass(harness, setBy: 6 * Self.hour)
        for _ in 0..<180 { clocks.pass(harness, 60_000) }
        #expect(isInDoubt(harness) && harness.settle().isEmpty)
        clocks.pass(harness, setBy: -6 * Self.hour)
        clocks.pass(harness, 60_000)
        #expect(harness.sendAll().map(harness.offset) == [0])
    }

    @Test mutating func `is trusted when it is set right again`() throws {
        let harness = try harness()
        clocks.pass(harness, setBy: 2 * Self.hour)
        #expect(harness.send() == nil)
        clocks.pass(harness, setBy: -2 * Self.hour)
        #expect(!isInDoubt(harness) && pauses(harness) == [])
        #expect(harness.sendAll().map(harness.offset) == [0, 1, 2, 3, 4, 5, 6, 7, 8, 9])
    }

    @Test mutating func `is trusted when the system calls it synchronized`() throws {
        let harness = try harness()
        clocks.pass(harness, setBy: 2 * Self.hour)
        #expect(harness.send() == nil)
        clocks.pass(harness, isSynchronized: true)
        #expect(!isInDoubt(harness))
        #expect(harness.send() == nil)
        let outcomes = harness.settle().outcomes
        #expect(outcomes.count == 10)
        #expect(outcomes.allSatisfy { $0.value.contains(#""reason":"expired""#) })
    }

    @Test mutating func `raises no doubt if the system vouches for it at once`() throws {
        let harness = try harness()
        clocks.pass(harness, setBy: 2 * Self.hour, isSynchronized: true)
        #expect(!isInDoubt(harness) && harness.engine.notices.isEmpty)
        clocks.pass(harness)
        #expect(!isInDoubt(harness))
    }

    @Test mutating func `is trusted when a broker's time agrees`() throws {
        let harness = try harness()
        let before = BrokerTime(time: EngineHarness.start + 3 * Self.hour, receivedAt: harness.now)
        clocks.pass(harness, setBy: 2 * Self.hour)
        clocks.pass(harness, brokerTime: before)
        #expect(isInDoubt(harness), "it was received before")
        clocks.pass(
            harness, brokerTime: BrokerTime(time: EngineHarness.start, receivedAt: harness.now))
        #expect(isInDoubt(harness), "it contradicts the clock")
        let agreed = BrokerTime(time: harness.engine.wallClock + 59_000, receivedAt: harness.now)
        clocks.pass(harness, brokerTime: agreed)
        #expect(!isInDoubt(harness))
    }

    @Test mutating func `is trusted when an operator confirms it`() throws {
        let harness = try harness()
        #expect(!harness.releaseClock())
        clocks.pass(harness, setBy: 2 * Self.hour)
        #expect(harness.releaseClock())
        clocks.pass(harness)
        #expect(!isInDoubt(harness))
        clocks.pass(harness, setBy: 2 * Self.hour)
        #expect(isInDoubt(harness))
    }

    @Test mutating func `raises no doubt by small steps, however many`() throws {
        let harness = try harness()
        for _ in 0..<100 { clocks.pass(harness, setBy: 30_000) }
        #expect(!isInDoubt(harness))
    }

    @Test mutating func `raises no doubt because the machine slept`() throws {
        let harness = try harness()
        clocks.pass(harness, slept: 2 * Self.hour)
        #expect(!isInDoubt(harness))
        #expect(harness.settle().outcomes.count == 10)
    }

    @Test mutating func `raises no doubt because a backlog expired before the start`() throws {
        let harness = try EngineHarness()
        harness.assign()
        clocks.pass(harness)
        harness.push(offset: 0, more: #","expiration":\#(EngineHarness.start / 1000 - 86_400)"#)
        clocks.pass(harness)
        #expect(!isInDoubt(harness))
        #expect(harness.settle().outcomes.count == 1)
    }

    @Test mutating func `raises a doubt when it is set back, too`() throws {
        let harness = try harness()
        clocks.pass(harness, setBy: -2 * Self.hour)
        #expect(isInDoubt(harness))
    }

    @Test mutating func `wakes the worker once a second for proofs, not more often`() throws {
        let harness = try harness()
        clocks.pass(harness, setBy: 2 * Self.hour)
        #expect(harness.send() == nil)
        let next = try #require(harness.nextDeadline)
        #expect(next > harness.now && next <= harness.now + .seconds(1))
    }
}

extension EngineHarness {
    func releaseClock() -> Bool { engine.releaseClock() }
}
