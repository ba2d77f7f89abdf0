internal import EventLoop
internal import Synchronization

/// Set by the first signal to stop; one that arrives a second later ends the process.
final class StopFlag: Sendable {
    private let state = Atomic(false)

    /// True after a signal.
    var isSet: Bool { state.load(ordering: .relaxed) }

    /// Listens to signals until the task is cancelled.
    func listen() -> Task<Void, Never> {
        Task {
            var stops = StopSignals()
            for await signal in Signals.received()
            where Signals.termination.contains(signal) && stops.isFirst(signal) {
                state.store(true, ordering: .relaxed)
            }
        }
    }
}
