import BridgeSamples
import Delivery
import Testing

@testable import Engine

/// A clock that has been wrong since before the start: only a broker's can tell.
@Suite struct `A wall clock that a broker contradicts` {
    private static let hour: Int64 = 3_600_000
    private var clocks = MachineClocks()
    private var offset: Int64 = 0

    private mutating func desk() throws -> EngineDesk {
        let desk = try EngineDesk()
        desk.assign()
        clocks.pass(desk)
        clocks.pass(desk, 60_000)
        return desk
    }

    /// Takes a record that a broker, whose clock is behind ours, has stored just now, while this
    /// worker waited for it.
    private mutating func take(
        _ desk: EngineDesk, behind: Int64, waited: Int64 = 5000, storedAgo: Int64 = 0
    ) {
        let time = desk.engine.wallClock - behind - storedAgo
        let end = (time + 600_000) / 1000
        let appended = AppendTime(time: time, notBefore: desk.now - .milliseconds(waited))
        desk.take(
            Samples.event("ab\(10 + offset)", more: #","expiration":\#(end)"#), offset: offset,
            timestamp: time, appended: appended)
        offset += 1
    }

    private func isInDoubt(_ desk: EngineDesk) -> Bool { desk.engine.isClockInDoubt }
    private func pauses(_ desk: EngineDesk) -> [PartitionState.Pause] {
        desk.engine.partitionStates { _ in nil }.flatMap(\.pauses)
    }
    private func reports(_ desk: EngineDesk) -> [String] { desk.engine.notices.map(\.name) }

    @Test mutating func `expires nothing, and stops taking records`() throws {
        let desk = try desk()
        take(desk, behind: 2 * Self.hour)
        #expect(desk.send() == nil)
        #expect(desk.settle().isEmpty, "not even in the turn in which it came")
        clocks.pass(desk)
        #expect(isInDoubt(desk) && reports(desk) == ["clockDoubted"])
        #expect(pauses(desk) == [.clock])
        #expect(desk.settle().isEmpty && desk.openRecords == 1)
    }

    @Test mutating func `is trusted when it is set right`() throws {
        let desk = try desk()
        take(desk, behind: 2 * Self.hour)
        #expect(desk.send() == nil)
        clocks.pass(desk)
        for _ in 0..<5 { clocks.pass(desk) }
        #expect(isInDoubt(desk))
        clocks.pass(desk, setBy: -2 * Self.hour)
        #expect(!isInDoubt(desk))
        #expect(desk.sendAll().count == 1)
        take(desk, behind: 0)
        #expect(!isInDoubt(desk))
    }

    @Test mutating func `raises no doubt if the system vouches for it, and what waited goes on`()
        throws
    {
        let desk = try desk()
        take(desk, behind: 2 * Self.hour)
        #expect(desk.send() == nil)
        clocks.pass(desk, isSynchronized: true)
        #expect(!isInDoubt(desk) && reports(desk).isEmpty)
        #expect(desk.send() == nil)
        #expect(desk.settle().outcomes.count == 1)
        take(desk, behind: 2 * Self.hour)
        #expect(!isInDoubt(desk), "the broker's clock is known to be behind")
    }

    @Test mutating func `is trusted for good when an operator confirms it`() throws {
        let desk = try desk()
        take(desk, behind: 2 * Self.hour)
        clocks.pass(desk)
        #expect(desk.releaseClock())
        take(desk, behind: 2 * Self.hour)
        clocks.pass(desk)
        #expect(!isInDoubt(desk))
        take(desk, behind: 4 * Self.hour)
        #expect(isInDoubt(desk), "that is more than was confirmed")
    }

    @Test mutating func `raises no doubt by a record that was stored during a long wait`() throws {
        let desk = try desk()
        clocks.pass(desk, Self.hour)
        take(desk, behind: 0, waited: Self.hour, storedAgo: Self.hour - 1000)
        take(desk, behind: 59_000)
        #expect(!isInDoubt(desk))
    }

    @Test mutating func `raises no doubt by a record that was stored while the machine slept`()
        throws
    {
        let desk = try desk()
        clocks.pass(desk, slept: 2 * Self.hour)
        take(desk, behind: 0, waited: 5000, storedAgo: Self.hour)
        #expect(!isInDoubt(desk))
        clocks.pass(desk)
        take(desk, behind: 2 * Self.hour, waited: 500)
        #expect(isInDoubt(desk))
    }

    @Test mutating func `raises no doubt when it is behind`() throws {
        let desk = try desk()
        take(desk, behind: -2 * Self.hour)
        #expect(!isInDoubt(desk))
    }
}
