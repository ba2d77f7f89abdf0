import BridgeSamples
import Delivery
import Testing

@testable import Engine

/// A clock that has been wrong since before the start: only a broker's can tell.
@Suite struct `A wall clock that a broker contradicts` {
    private static let hour: Int64 = 3_600_000
    private var boot: Int64 = 1_000_000
    private var offset: Int64 = 0

    /// Lets time pass on all clocks; returns nothing, as the worker's turn does.
    private mutating func pass(
        _ desk: EngineDesk, _ milliseconds: Int64 = 1000, setBy step: Int64 = 0,
        slept: Int64 = 0, isSynchronized: Bool = false
    ) {
        boot += milliseconds + slept
        desk.engine.setTime(
            desk.engine.now + .milliseconds(milliseconds),
            wallClock: desk.engine.wallClock + milliseconds + slept + step)
        let time = Instant(nanoseconds: UInt64(boot) * 1_000_000)
        if desk.engine.mustJudgeClock(bootTime: time) {
            desk.engine.judgeClock(
                bootTime: time, isSynchronized: isSynchronized, brokerTime: nil)
        }
        desk.engine.doDueWork()
    }

    private mutating func desk() throws -> EngineDesk {
        let desk = try EngineDesk()
        desk.assign()
        pass(desk)
        pass(desk, 60_000)
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
    private func reports(_ desk: EngineDesk) -> [String] { desk.engine.notices.map(\.message) }
    private static let doubted =
        "a broker contradicts the clock; nothing expires and no record is taken meanwhile"

    @Test mutating func `expires nothing, and stops taking records`() throws {
        let desk = try desk()
        take(desk, behind: 2 * Self.hour)
        #expect(desk.send() == nil)
        #expect(desk.settle().isEmpty, "not even in the turn in which it came")
        pass(desk)
        #expect(isInDoubt(desk) && reports(desk) == [Self.doubted])
        #expect(pauses(desk) == [.clock])
        #expect(desk.settle().isEmpty && desk.openRecords == 1)
    }

    @Test mutating func `is trusted when it is set right`() throws {
        let desk = try desk()
        take(desk, behind: 2 * Self.hour)
        #expect(desk.send() == nil)
        pass(desk)
        for _ in 0..<5 { pass(desk) }
        #expect(isInDoubt(desk))
        pass(desk, setBy: -2 * Self.hour)
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
        pass(desk, isSynchronized: true)
        #expect(!isInDoubt(desk) && reports(desk).isEmpty)
        #expect(desk.send() == nil)
        #expect(desk.settle().outcomes.count == 1)
        take(desk, behind: 2 * Self.hour)
        #expect(!isInDoubt(desk), "the broker's clock is known to be behind")
    }

    @Test mutating func `is trusted for good when an operator confirms it`() throws {
        let desk = try desk()
        take(desk, behind: 2 * Self.hour)
        pass(desk)
        #expect(desk.releaseClock())
        take(desk, behind: 2 * Self.hour)
        pass(desk)
        #expect(!isInDoubt(desk))
        take(desk, behind: 4 * Self.hour)
        #expect(isInDoubt(desk), "that is more than was confirmed")
    }

    @Test mutating func `raises no doubt by a record that was stored during a long wait`() throws {
        let desk = try desk()
        pass(desk, Self.hour)
        take(desk, behind: 0, waited: Self.hour, storedAgo: Self.hour - 1000)
        take(desk, behind: 59_000)
        #expect(!isInDoubt(desk))
    }

    @Test mutating func `raises no doubt by a record that was stored while the machine slept`()
        throws
    {
        let desk = try desk()
        pass(desk, slept: 2 * Self.hour)
        take(desk, behind: 0, waited: 5000, storedAgo: Self.hour)
        #expect(!isInDoubt(desk))
        pass(desk)
        take(desk, behind: 2 * Self.hour, waited: 500)
        #expect(isInDoubt(desk))
    }

    @Test mutating func `raises no doubt when it is behind`() throws {
        let desk = try desk()
        take(desk, behind: -2 * Self.hour)
        #expect(!isInDoubt(desk))
    }
}
