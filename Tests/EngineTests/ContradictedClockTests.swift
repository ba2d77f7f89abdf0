import BridgeSamples
import Delivery
import Testing

@testable import Engine

/// A clock that has been wrong since before the start: only a broker's shows that.
@Suite struct `A wall clock that a broker contradicts` {
    private static let hour: Int64 = 3_600_000
    private var clocks = MachineClocks()
    private var offset: Int64 = 0

    private mutating func harness() throws -> EngineHarness {
        let harness = try EngineHarness()
        harness.assign()
        clocks.pass(harness)
        clocks.pass(harness, 60_000)
        return harness
    }

    /// Takes a record that a broker, whose clock is behind ours, has stored just now, while this
    /// worker waited for it.
    private mutating func take(
        _ harness: EngineHarness, behind: Int64, waited: Int64 = 5000, storedAgo: Int64 = 0
    ) {
        let time = harness.engine.wallClock - behind - storedAgo
        let end = (time + 600_000) / 1000
        let appended = AppendTime(time: time, notBefore: harness.now - .milliseconds(waited))
        harness.take(
            Samples.event("ab\(10 + offset)", more: #","expiration":\#(end)"#), offset: offset,
            timestamp: time, appended: appended)
        offset += 1
    }

    private func isInDoubt(_ harness: EngineHarness) -> Bool { harness.engine.isClockInDoubt }
    private func pauses(_ harness: EngineHarness) -> [PartitionState.Pause] {
        harness.engine.partitionStates { _ in nil }.flatMap(\.pauses)
    }
    private func reports(_ harness: EngineHarness) -> [String] {
        harness.engine.notices.map(\.name)
    }

    @Test mutating func `expires nothing, and stops taking records`() throws {
        let harness = try harness()
        take(harness, behind: 2 * Self.hour)
        #expect(harness.send() == nil)
        #expect(harness.settle().isEmpty, "not even in the turn in which it came")
        clocks.pass(harness)
        #expect(isInDoubt(harness) && reports(harness) == ["clockDoubted"])
        #expect(pauses(harness) == [.clock])
        #expect(harness.settle().isEmpty && harness.openRecords == 1)
    }

    @Test mutating func `is trusted when it is set right`() throws {
        let harness = try harness()
        take(harness, behind: 2 * Self.hour)
        #expect(harness.send() == nil)
        clocks.pass(harness)
        for _ in 0..<5 { clocks.pass(harness) }
        #expect(isInDoubt(harness))
        clocks.pass(harness, setBy: -2 * Self.hour)
        #expect(!isInDoubt(harness))
        #expect(harness.sendAll().count == 1)
        take(harness, behind: 0)
        #expect(!isInDoubt(harness))
    }

    @Test mutating func `raises no doubt if the system vouches for it, and what waited goes on`()
        throws
    {
        let harness = try harness()
        take(harness, behind: 2 * Self.hour)
        #expect(harness.send() == nil)
        clocks.pass(harness, isSynchronized: true)
        #expect(!isInDoubt(harness) && reports(harness).isEmpty)
        #expect(harness.send() == nil)
        #expect(harness.settle().outcomes.count == 1)
        take(harness, behind: 2 * Self.hour)
        #expect(!isInDoubt(harness), "the broker's clock is known to be behind")
    }

    @Test mutating func `is trusted for good when an operator confirms it`() throws {
        let harness = try harness()
        take(harness, behind: 2 * Self.hour)
        clocks.pass(harness)
        #expect(harness.releaseClock())
        take(harness, behind: 2 * Self.hour)
        clocks.pass(harness)
        #expect(!isInDoubt(harness))
        take(harness, behind: 4 * Self.hour)
        #expect(isInDoubt(harness), "that is more than was confirmed")
    }

    @Test mutating func `raises no doubt by a record that was stored during a long wait`() throws {
        let harness = try harness()
        clocks.pass(harness, Self.hour)
        take(harness, behind: 0, waited: Self.hour, storedAgo: Self.hour - 1000)
        take(harness, behind: 59_000)
        #expect(!isInDoubt(harness))
    }

    @Test mutating func `raises no doubt by a record that was stored while the machine slept`()
        throws
    {
        let harness = try harness()
        clocks.pass(harness, slept: 2 * Self.hour)
        take(harness, behind: 0, waited: 5000, storedAgo: Self.hour)
        #expect(!isInDoubt(harness))
        clocks.pass(harness)
        take(harness, behind: 2 * Self.hour, waited: 500)
        #expect(isInDoubt(harness))
    }

    @Test mutating func `raises no doubt when it is behind`() throws {
        let harness = try harness()
        take(harness, behind: -2 * Self.hour)
        #expect(!isInDoubt(harness))
    }
}
