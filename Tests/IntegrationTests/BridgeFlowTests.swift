import APNsSimulator
import Delivery
import EventLoop
import Foundation
import Synchronization
import Testing

@Suite(RealKafka.available, .serialized)
struct `A bridge whose window is always full` {
    /// Room for 20 pushes and 10 ms for each response: at most 2,000 a second, far below supply.
    /// A fault of the flow would stall it again and again. Kafka and the machine stall now and
    /// then, so that ten seconds without a stall are awaited.
    @Test func `does not stall for more than 100 ms in ten seconds`() throws {
        let world = try BridgeWorld(
            .real(try RealKafka.shared()), partitions: 4, extra: "delivery: {max_in_flight: 20}",
            behaviour: Scenario(
                responses: [ScriptedResponse(tokenPrefix: "", latency: 10)]))
        try world.publish(40_000)
        let metronome = Metronome()
        defer { metronome.stop() }
        let bridge = try world.start()
        var flow: Int64 = 0
        for committed in stride(from: 24_000, through: 240_000, by: 24_000) {
            try world.waitUntilCommitted(committed, while: bridge)
            flow = try world.maxFlow(withoutGapOf: 100 + metronome.worstMilliseconds)
            guard flow < 10_000 else { break }
            try world.publish(24_000)
        }
        #expect(bridge.terminate() == 0)
        #expect(flow >= 10_000, "the machine was late by \(metronome.worstMilliseconds) ms")
    }
}

extension BridgeWorld {
    /// For how many milliseconds outcomes followed each other at best, none of them later than the
    /// one before it by more than this gap.
    fileprivate func maxFlow(withoutGapOf gap: Int64) throws -> Int64 {
        let times = try readOutcomes().map(\.timestamp).sorted()
        guard var start = times.first else { return 0 }
        var flow: Int64 = 0
        for (time, next) in zip(times, times.dropFirst()) where next - time > gap {
            flow = max(flow, time - start)
            start = next
        }
        return max(flow, (times.last ?? start) - start)
    }
}

/// Wakes every few milliseconds and records how late the machine was at worst.
final class Metronome: Sendable {
    private let worst = Atomic<Int64>(0)
    private let isDone = Atomic(false)

    init() {
        LoopThread.required(name: "metronome") { [self] in
            guard var kernel = try? LinuxKernel(capacity: 1) else { return }
            while !isDone.load(ordering: .relaxed) {
                let due = kernel.now + .milliseconds(5)
                kernel.wait(until: due) { _ in }
                let late = max(.zero, kernel.now - due).wholeMilliseconds
                if late > worst.load(ordering: .relaxed) { worst.store(late, ordering: .relaxed) }
            }
        }.detach()
    }

    /// By how much it was late at worst.
    var worstMilliseconds: Int64 { worst.load(ordering: .relaxed) }

    func stop() { isDone.store(true, ordering: .relaxed) }
}
