import BridgeSamples
import Configuration
import Delivery
import Testing

@testable import Engine

@Suite struct `A wall clock that jumps` {
    private static let hour: Int64 = 3_600_000
    private var boot: Int64 = 1_000_000

    /// Lets time pass on both clocks, and sets the wall clock on top of that; returns what the
    /// worker would do.
    private mutating func pass(
        _ desk: EngineDesk, _ milliseconds: Int64 = 1000, setBy step: Int64 = 0,
        slept: Int64 = 0, isSynchronized: Bool = false, brokerTime: BrokerTime? = nil
    ) {
        boot += milliseconds + slept
        desk.engine.setTime(
            desk.engine.now + .milliseconds(milliseconds),
            wallClock: desk.engine.wallClock + milliseconds + slept + step)
        let time = Instant(nanoseconds: UInt64(boot) * 1_000_000)
        if desk.engine.mustJudgeClock(bootTime: time) {
            desk.engine.judgeClock(
                bootTime: time, isSynchronized: isSynchronized, brokerTime: brokerTime)
        }
        desk.engine.doDueWork()
    }

    /// A desk with ten pushes, whose time to live ends in an hour.
    private mutating func desk() throws -> EngineDesk {
        let desk = try EngineDesk()
        desk.assign()
        let end = (EngineDesk.start + Self.hour) / 1000
        for offset in 0..<10 {
            desk.push("ab\(10 + offset)", offset: Int64(offset), more: #","expiration":\#(end)"#)
        }
        pass(desk)
        return desk
    }

    private func isInDoubt(_ desk: EngineDesk) -> Bool { desk.engine.isClockInDoubt }

    private func pauses(_ desk: EngineDesk) -> [PartitionState.Pause] {
        desk.engine.partitionStates { _ in nil }.flatMap(\.pauses)
    }

    @Test mutating func `expires nothing, and stops taking records`() throws {
        let desk = try desk()
        pass(desk, setBy: 2 * Self.hour)
        #expect(isInDoubt(desk))
        for _ in 0..<10 {
            pass(desk)
            #expect(desk.send() == nil)
        }
        #expect(desk.settle().isEmpty && desk.openRecords == 10)
        #expect(pauses(desk) == [.clock])
        #expect(desk.flowChange()?.pause == [AssignmentID(0)])
        #expect(desk.engine.notices.map(\.level) == [.error])
    }

    @Test mutating func `still sends what does not look expired`() throws {
        let desk = try desk()
        pass(desk, setBy: 2 * Self.hour)
        desk.push("ff", offset: 10)
        #expect(desk.sendAll().map(desk.offset) == [10])
    }

    @Test mutating func `sends what it held back over no newer push`() throws {
        let desk = try EngineDesk()
        desk.assign()
        pass(desk)
        let end = (EngineDesk.start + Self.hour) / 1000
        desk.push("aa", offset: 0, more: #","collapse_id":"order-7","expiration":\#(end)"#)
        pass(desk, setBy: 2 * Self.hour)
        #expect(desk.send() == nil)
        desk.push("aa", offset: 1, more: #","collapse_id":"order-7""#)
        let newer = try #require(desk.send())
        desk.answer(newer, 200)
        desk.settle()
        pass(desk, setBy: -2 * Self.hour)
        #expect(!isInDoubt(desk) && desk.send() == nil)
        #expect(
            desk.settle().outcomes.first?.value.contains(
                #""verdict":"dropped","reason":"superseded""#) == true)
    }

    @Test mutating func `gives nothing up, however long that takes`() throws {
        let desk = try EngineDesk()
        desk.assign()
        pass(desk)
        let end = (EngineDesk.start + 5 * Self.hour) / 1000
        desk.push("aa", offset: 0, more: #","expiration":\#(end)"#)
        pass(desk, setBy: 6 * Self.hour)
        for _ in 0..<180 { pass(desk, 60_000) }
        #expect(isInDoubt(desk) && desk.settle().isEmpty)
        pass(desk, setBy: -6 * Self.hour)
        pass(desk, 60_000)
        #expect(desk.sendAll().map(desk.offset) == [0])
    }

    @Test mutating func `is trusted when it is set right again`() throws {
        let desk = try desk()
        pass(desk, setBy: 2 * Self.hour)
        #expect(desk.send() == nil)
        pass(desk, setBy: -2 * Self.hour)
        #expect(!isInDoubt(desk) && pauses(desk) == [])
        #expect(desk.sendAll().map(desk.offset) == [0, 1, 2, 3, 4, 5, 6, 7, 8, 9])
    }

    @Test mutating func `is trusted when the system calls it synchronized`() throws {
        let desk = try desk()
        pass(desk, setBy: 2 * Self.hour)
        #expect(desk.send() == nil)
        pass(desk, isSynchronized: true)
        #expect(!isInDoubt(desk))
        #expect(desk.send() == nil)
        let outcomes = desk.settle().outcomes
        #expect(outcomes.count == 10)
        #expect(outcomes.allSatisfy { $0.value.contains(#""reason":"expired""#) })
    }

    @Test mutating func `raises no doubt if the system vouches for it at once`() throws {
        let desk = try desk()
        pass(desk, setBy: 2 * Self.hour, isSynchronized: true)
        #expect(!isInDoubt(desk) && desk.engine.notices.isEmpty)
        pass(desk)
        #expect(!isInDoubt(desk))
    }

    @Test mutating func `is trusted when a broker's time agrees`() throws {
        let desk = try desk()
        let before = BrokerTime(time: EngineDesk.start + 3 * Self.hour, heardAt: desk.now)
        pass(desk, setBy: 2 * Self.hour)
        pass(desk, brokerTime: before)
        #expect(isInDoubt(desk), "it was heard before")
        pass(desk, brokerTime: BrokerTime(time: EngineDesk.start, heardAt: desk.now))
        #expect(isInDoubt(desk), "it contradicts the clock")
        let agreed = BrokerTime(time: desk.engine.wallClock + 59_000, heardAt: desk.now)
        pass(desk, brokerTime: agreed)
        #expect(!isInDoubt(desk))
    }

    @Test mutating func `is trusted when an operator confirms it`() throws {
        let desk = try desk()
        #expect(!desk.releaseClock())
        pass(desk, setBy: 2 * Self.hour)
        #expect(desk.releaseClock())
        pass(desk)
        #expect(!isInDoubt(desk))
        pass(desk, setBy: 2 * Self.hour)
        #expect(isInDoubt(desk))
    }

    @Test mutating func `raises no doubt by small steps, however many`() throws {
        let desk = try desk()
        for _ in 0..<100 { pass(desk, setBy: 30_000) }
        #expect(!isInDoubt(desk))
    }

    @Test mutating func `raises no doubt because the machine slept`() throws {
        let desk = try desk()
        pass(desk, slept: 2 * Self.hour)
        #expect(!isInDoubt(desk))
        #expect(desk.settle().outcomes.count == 10)
    }

    @Test mutating func `raises no doubt because a backlog expired before the start`() throws {
        let desk = try EngineDesk()
        desk.assign()
        pass(desk)
        desk.push(offset: 0, more: #","expiration":\#(EngineDesk.start / 1000 - 86_400)"#)
        pass(desk)
        #expect(!isInDoubt(desk))
        #expect(desk.settle().outcomes.count == 1)
    }

    @Test mutating func `raises a doubt when it is set back, too`() throws {
        let desk = try desk()
        pass(desk, setBy: -2 * Self.hour)
        #expect(isInDoubt(desk))
    }

    @Test mutating func `wakes the worker once a second for proofs, not more often`() throws {
        let desk = try desk()
        pass(desk, setBy: 2 * Self.hour)
        #expect(desk.send() == nil)
        let next = try #require(desk.nextDeadline)
        #expect(next > desk.now && next <= desk.now + .seconds(1))
    }
}

extension EngineDesk {
    func releaseClock() -> Bool { engine.releaseClock() }
}
