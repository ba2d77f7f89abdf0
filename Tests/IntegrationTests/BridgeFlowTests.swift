import APNsSimulator
import Delivery
import EventLoop
import Foundation
import Synchronization
import Testing

@Suite(RealKafka.available, .serialized)
struct `A bridge whose window is always full` {
    /// Room for 20 pushes and 10 ms for each response: at most 2,000 a second, far below supply.
    @Test func `does not stall for more than 100 ms in ten seconds`() throws {
        let world = try BridgeWorld(
            .real(try RealKafka.shared()), partitions: 4, extra: "delivery: {max_in_flight: 20}",
            behaviour: Scenario(
                responses: [ScriptedResponse(tokenPrefix: "", latency: 10)]))
        try world.publish(40_000)
        let metronome = Metronome()
        let bridge = try world.start()
        try world.waitUntilCommitted(24_000, while: bridge)
        let first = Int64(Date().timeIntervalSince1970 * 1000) - 10_000
        let noise = metronome.stop()
        #expect(bridge.terminate() == 0)
        let times = try world.readOutcomes().map(\.timestamp).filter { $0 >= first }.sorted()
        try #require(times.count > 3_000)
        let worst = zip(times, times.dropFirst()).map { $1 - $0 }.max() ?? 0
        #expect(worst <= 100 + noise, "the machine itself was late by up to \(noise) ms")
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

    /// Ends it; the milliseconds by which it was late at worst.
    func stop() -> Int64 {
        isDone.store(true, ordering: .relaxed)
        return worst.load(ordering: .relaxed)
    }
}
