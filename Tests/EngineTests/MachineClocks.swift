import BridgeSamples
import Delivery

@testable import Engine

/// The clocks of the machine on which an engine runs: the one on the wall can be set.
struct MachineClocks {
    private var boot: Int64 = 1_000_000

    /// Lets time pass on all clocks, and sets the wall clock on top of that; then the engine does
    /// what a worker lets it do in a turn.
    mutating func pass(
        _ desk: EngineDesk, _ milliseconds: Int64 = 1000, setBy step: Int64 = 0,
        slept: Int64 = 0, isSynchronized: Bool = false, brokerTime: BrokerTime? = nil
    ) {
        boot += milliseconds + slept
        desk.engine.setTime(
            desk.engine.now + .milliseconds(milliseconds),
            wallClock: desk.engine.wallClock + milliseconds + slept + step)
        let time = Instant(nanoseconds: UInt64(boot) * 1_000_000)
        if desk.engine.mustJudgeClock(bootTime: time) {
            desk.engine.judgeClock(isSynchronized: isSynchronized, brokerTime: brokerTime)
        }
        desk.engine.doDueWork()
    }
}
