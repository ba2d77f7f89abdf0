import BridgeSamples
import Delivery

@testable import Engine

/// The clocks of the machine on which an engine runs: the one on the wall can be set.
struct MachineClocks {
    private var boot: Int64 = 1_000_000

    /// Lets time pass on all clocks, and sets the wall clock on top of that; then the engine does
    /// what a worker lets it do in a turn.
    mutating func pass(
        _ harness: EngineHarness, _ milliseconds: Int64 = 1000, setBy step: Int64 = 0,
        slept: Int64 = 0, isSynchronized: Bool = false, brokerTime: BrokerTime? = nil
    ) {
        boot += milliseconds + slept
        harness.engine.setTime(
            harness.engine.now + .milliseconds(milliseconds),
            wallClock: harness.engine.wallClock + milliseconds + slept + step)
        let time = Instant(nanoseconds: UInt64(boot) * 1_000_000)
        if harness.engine.mustJudgeClock(bootTime: time) {
            harness.engine.judgeClock(isSynchronized: isSynchronized, brokerTime: brokerTime)
        }
        harness.engine.doDueWork()
    }
}
