import BridgeSamples
import Delivery
import Glibc
import Testing

@testable import Engine

@Suite(.serialized) struct `Records of many devices` {
    /// A desk with so many records, each for so many devices.
    private func desk(records: Int, devices: Int) throws -> EngineDesk {
        let desk = try EngineDesk {
            $0.maxInFlight = 10_000
            $0.maxInFlightBytes = 1 << 30
        }
        desk.assign()
        for offset in 0..<records {
            let tokens = (0..<devices).map { "\"ab\(100_000 + offset * devices + $0)\"" }
            let list = tokens.joined(separator: ",")
            desk.take(
                #"{"device_tokens":[\#(list)],"payload":{"aps":{"alert":"Hi"}}}"#,
                offset: Int64(offset))
        }
        return desk
    }

    /// The processor time of this thread: what other tests use does not count.
    private static var processorSeconds: Double {
        var time = timespec()
        unsafe clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time)
        return Double(time.tv_sec) + Double(time.tv_nsec) / 1e9
    }

    @Test func `are abandoned as a whole when the worker drains`() throws {
        let desk = try desk(records: 10, devices: 1000)
        #expect(desk.engine.openPushes == 10_000)
        desk.engine.drain(until: desk.engine.now + .seconds(10))
        while !desk.engine.abandonments.isEmpty { desk.engine.doDueWork() }
        #expect(desk.engine.openPushes == 0 && desk.openRecords == 0)
        #expect(desk.takeCommits().allSatisfy { $0.next == 0 && $0.metadata.isEmpty })
    }

    @Test func `are finished here when some of their pushes were sent`() throws {
        let desk = try desk(records: 2, devices: 100)
        let sent = (0..<10).compactMap { _ in desk.send() }
        desk.engine.drain(until: desk.engine.now + .seconds(10))
        #expect(desk.engine.openPushes == 100)
        for id in sent { desk.answer(id, 200) }
        for id in desk.sendAll() { desk.answer(id, 200) }
        #expect(desk.settle().outcomes.count == 100)
        #expect(desk.next() == 1)
    }

    @Test func `cost as much for each push to abandon, however many there are`() throws {
        func seconds(_ records: Int) throws -> Double {
            var best = Double.infinity
            for _ in 0..<3 {
                let desk = try desk(records: records, devices: 1000)
                let start = Self.processorSeconds
                desk.engine.drain(until: desk.engine.now)
                while !desk.engine.abandonments.isEmpty { desk.engine.doDueWork() }
                best = min(best, Self.processorSeconds - start)
            }
            return best
        }
        // A single push more for each other one would make it twenty-five times as much.
        #expect(try seconds(10) < 15 * seconds(2))
    }

    @Test func `are abandoned over several turns, and none of them is sent meanwhile`() throws {
        let desk = try desk(records: 20, devices: 1000)
        desk.engine.drain(until: desk.engine.now + .seconds(10))
        var before = 20_000
        var turns = 1
        while !desk.engine.abandonments.isEmpty {
            #expect(desk.send() == nil)
            #expect(before - desk.engine.openPushes <= Engine.abandonsPerTurn + 1000)
            #expect(desk.engine.nextDeadline == desk.engine.now)
            before = desk.engine.openPushes
            desk.engine.doDueWork()
            turns += 1
        }
        #expect(turns > 3)
        #expect(desk.engine.openPushes == 0)
    }
}
