import BridgeSamples
import Delivery
import EventLoop
import Glibc
import Testing

@testable import Engine

@Suite(.serialized) struct `Records of many devices` {
    /// A harness with so many records, each for so many devices.
    private func harness(records: Int, devices: Int) throws -> EngineHarness {
        let harness = try EngineHarness {
            $0.maxInFlight = 10_000
            $0.maxInFlightBytes = 1 << 30
        }
        harness.assign()
        for offset in 0..<records {
            let tokens = (0..<devices).map { "\"ab\(100_000 + offset * devices + $0)\"" }
            let list = tokens.joined(separator: ",")
            harness.take(
                #"{"device_tokens":[\#(list)],"payload":{"aps":{"alert":"Hi"}}}"#,
                offset: Int64(offset))
        }
        return harness
    }

    /// The processor time of this thread: what other tests use does not count.
    private static var processorSeconds: Double {
        var time = timespec()
        unsafe clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time)
        return Double(time.tv_sec) + Double(time.tv_nsec) / 1e9
    }

    @Test func `are abandoned as a whole when the worker drains`() throws {
        let harness = try harness(records: 10, devices: 1000)
        #expect(harness.engine.openPushes == 10_000)
        harness.engine.drain(until: harness.engine.now + .seconds(10))
        while harness.engine.waitingCell.value.isAbandoning { harness.engine.doDueWork() }
        #expect(harness.engine.openPushes == 0 && harness.openRecords == 0)
        #expect(harness.takeCommits().allSatisfy { $0.next == 0 && $0.metadata.isEmpty })
    }

    @Test func `are finished here when some of their pushes were sent`() throws {
        let harness = try harness(records: 2, devices: 100)
        let sent = (0..<10).compactMap { _ in harness.send() }
        harness.engine.drain(until: harness.engine.now + .seconds(10))
        #expect(harness.engine.openPushes == 100)
        for id in sent { harness.respond(id, 200) }
        for id in harness.sendAll() { harness.respond(id, 200) }
        #expect(harness.settle().outcomes.count == 100)
        #expect(harness.next() == 1)
    }

    @Test func `cost as much for each push to abandon, however many there are`() throws {
        func seconds(_ records: Int) throws -> Double {
            var best = Double.infinity
            for _ in 0..<3 {
                let harness = try harness(records: records, devices: 1000)
                let start = Self.processorSeconds
                harness.engine.drain(until: harness.engine.now)
                while harness.engine.waitingCell.value.isAbandoning { harness.engine.doDueWork() }
                best = min(best, Self.processorSeconds - start)
            }
            return best
        }
        // A single push more for each other one would make it twenty-five times as much.
        #expect(try seconds(10) < 15 * seconds(2))
    }

    @Test func `are abandoned over several turns, and none of them is sent meanwhile`() throws {
        let harness = try harness(records: 20, devices: 1000)
        harness.engine.drain(until: harness.engine.now + .seconds(10))
        var before = 20_000
        var turns = 1
        while harness.engine.waitingCell.value.isAbandoning {
            #expect(harness.send() == nil)
            #expect(before - harness.engine.openPushes <= Waiting.abandonsPerTurn + 1000)
            #expect(harness.engine.nextDeadline == harness.engine.now)
            before = harness.engine.openPushes
            harness.engine.doDueWork()
            turns += 1
        }
        #expect(turns > 3)
        #expect(harness.engine.openPushes == 0)
    }
}
