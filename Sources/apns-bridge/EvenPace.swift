internal import Delivery
internal import EventLoop

/// An even rate of events, so that the bridge is what is measured.
struct EvenPace {
    /// When the first event is due, on the monotonic clock.
    let start: Instant
    let perSecond: Int

    /// When an event is due, counted from 0.
    func due(_ number: Int) -> Instant {
        start + .seconds(number) / perSecond
    }

    /// Waits until an event is due.
    func wait(for number: Int, _ kernel: inout LinuxKernel) {
        let due = due(number)
        while kernel.now < due { kernel.wait(until: due) { _ in } }
    }
}
