import BridgeSamples
import Configuration
import Delivery
import Testing

@testable import Engine

@Suite struct `A wall clock that jumps` {
    private static let hour: Int64 = 3_600_000
    private var clocks = MachineClocks()

    /// A desk with ten pushes, whose time to live ends in an hour.
    private mutating func desk() throws -> EngineDesk {
        let desk = try EngineDesk()
        desk.assign()
        let end = (EngineDesk.start + Self.hour) / 1000
        for offset in 0..<10 {
            desk.push("ab\(10 + offset)", offset: Int64(offset), more: #","expiration":\#(end)"#)
        }
        clocks.pass(desk)
        return desk
    }

    private func isInDoubt(_ desk: EngineDesk) -> Bool { desk.engine.isClockInDoubt }

    private func pauses(_ desk: EngineDesk) -> [PartitionState.Pause] {
        desk.engine.partitionStates { _ in nil }.flatMap(\.pauses)
    }

    @Test mutating func `expires nothing, and stops taking records`() throws {
        let desk = try desk()
        clocks.pass(desk, setBy: 2 * Self.hour)
        #expect(isInDoubt(desk))
        for _ in 0..<10 {
            clocks.pass(desk)
            #expect(desk.send() == nil)
        }
        #expect(desk.settle().isEmpty && desk.openRecords == 10)
        #expect(pauses(desk) == [.clock])
        #expect(desk.flowChange()?.pause == [AssignmentID(0)])
        #expect(desk.engine.notices.map(\.name) == ["clockDoubted"])
    }

    @Test mutating func `still sends what does not look expired`() throws {
        let desk = try desk()
        clocks.pass(desk, setBy: 2 * Self.hour)
        desk.push("ff", offset: 10)
        #expect(desk.sendAll().map(desk.offset) == [10])
    }

    @Test mutating func `sends what it held back over no newer push`() throws {
        let desk = try EngineDesk()
        desk.assign()
        clocks.pass(desk)
        let end = (EngineDesk.start + Self.hour) / 1000
        desk.push("aa", offset: 0, more: #","collapse_id":"order-7","expiration":\#(end)"#)
        clocks.pass(desk, setBy: 2 * Self.hour)
        #expect(desk.send() == nil)
        desk.push("aa", offset: 1, more: #","collapse_id":"order-7""#)
        let newer = try #require(desk.send())
        desk.answer(newer, 200)
        desk.settle()
        clocks.pass(desk, setBy: -2 * Self.hour)
        #expect(!isInDoubt(desk) && desk.send() == nil)
        #expect(
            desk.settle().outcomes.first?.value.contains(
                #""verdict":"dropped","reason":"superseded""#) == true)
    }

    @Test mutating func `gives nothing up, however long that takes`() throws {
        let desk = try EngineDesk()
        desk.assign()
        clocks.pass(desk)
        let end = (EngineDesk.start + 5 * Self.hour) / 1000
        desk.push("aa", offset: 0, more: #","expiration":\#(end)"#)
        clocks.pass(desk, setBy: 6 * Self.hour)
        for _ in 0..<180 { clocks.pass(desk, 60_000) }
        #expect(isInDoubt(desk) && desk.settle().isEmpty)
        clocks.pass(desk, setBy: -6 * Self.hour)
        clocks.pass(desk, 60_000)
        #expect(desk.sendAll().map(desk.offset) == [0])
    }

    @Test mutating func `is trusted when it is set right again`() throws {
        let desk = try desk()
        clocks.pass(desk, setBy: 2 * Self.hour)
        #expect(desk.send() == nil)
        clocks.pass(desk, setBy: -2 * Self.hour)
        #expect(!isInDoubt(desk) && pauses(desk) == [])
        #expect(desk.sendAll().map(desk.offset) == [0, 1, 2, 3, 4, 5, 6, 7, 8, 9])
    }

    @Test mutating func `is trusted when the system calls it synchronized`() throws {
        let desk = try desk()
        clocks.pass(desk, setBy: 2 * Self.hour)
        #expect(desk.send() == nil)
        clocks.pass(desk, isSynchronized: true)
        #expect(!isInDoubt(desk))
        #expect(desk.send() == nil)
        let outcomes = desk.settle().outcomes
        #expect(outcomes.count == 10)
        #expect(outcomes.allSatisfy { $0.value.contains(#""reason":"expired""#) })
    }

    @Test mutating func `raises no doubt if the system vouches for it at once`() throws {
        let desk = try desk()
        clocks.pass(desk, setBy: 2 * Self.hour, isSynchronized: true)
        #expect(!isInDoubt(desk) && desk.engine.notices.isEmpty)
        clocks.pass(desk)
        #expect(!isInDoubt(desk))
    }

    @Test mutating func `is trusted when a broker's time agrees`() throws {
        let desk = try desk()
        let before = BrokerTime(time: EngineDesk.start + 3 * Self.hour, heardAt: desk.now)
        clocks.pass(desk, setBy: 2 * Self.hour)
        clocks.pass(desk, brokerTime: before)
        #expect(isInDoubt(desk), "it was heard before")
        clocks.pass(desk, brokerTime: BrokerTime(time: EngineDesk.start, heardAt: desk.now))
        #expect(isInDoubt(desk), "it contradicts the clock")
        let agreed = BrokerTime(time: desk.engine.wallClock + 59_000, heardAt: desk.now)
        clocks.pass(desk, brokerTime: agreed)
        #expect(!isInDoubt(desk))
    }

    @Test mutating func `is trusted when an operator confirms it`() throws {
        let desk = try desk()
        #expect(!desk.releaseClock())
        clocks.pass(desk, setBy: 2 * Self.hour)
        #expect(desk.releaseClock())
        clocks.pass(desk)
        #expect(!isInDoubt(desk))
        clocks.pass(desk, setBy: 2 * Self.hour)
        #expect(isInDoubt(desk))
    }

    @Test mutating func `raises no doubt by small steps, however many`() throws {
        let desk = try desk()
        for _ in 0..<100 { clocks.pass(desk, setBy: 30_000) }
        #expect(!isInDoubt(desk))
    }

    @Test mutating func `raises no doubt because the machine slept`() throws {
        let desk = try desk()
        clocks.pass(desk, slept: 2 * Self.hour)
        #expect(!isInDoubt(desk))
        #expect(desk.settle().outcomes.count == 10)
    }

    @Test mutating func `raises no doubt because a backlog expired before the start`() throws {
        let desk = try EngineDesk()
        desk.assign()
        clocks.pass(desk)
        desk.push(offset: 0, more: #","expiration":\#(EngineDesk.start / 1000 - 86_400)"#)
        clocks.pass(desk)
        #expect(!isInDoubt(desk))
        #expect(desk.settle().outcomes.count == 1)
    }

    @Test mutating func `raises a doubt when it is set back, too`() throws {
        let desk = try desk()
        clocks.pass(desk, setBy: -2 * Self.hour)
        #expect(isInDoubt(desk))
    }

    @Test mutating func `wakes the worker once a second for proofs, not more often`() throws {
        let desk = try desk()
        clocks.pass(desk, setBy: 2 * Self.hour)
        #expect(desk.send() == nil)
        let next = try #require(desk.nextDeadline)
        #expect(next > desk.now && next <= desk.now + .seconds(1))
    }
}

extension EngineDesk {
    func releaseClock() -> Bool { engine.releaseClock() }
}
