internal import EventLoop
internal import Glibc
internal import Synchronization

/// Set by the first signal to stop; one that arrives a second later ends the process.
///
/// `timeout` sends its signal twice at once, to the program and to its process group.
final class StopFlag: Sendable {
    private let state = Atomic(false)

    /// True after a signal.
    var isSet: Bool { state.load(ordering: .relaxed) }

    /// Listens to signals until the task is cancelled.
    func listen() -> Task<Void, Never> {
        Task {
            var patience: ContinuousClock.Instant?
            for await signal in Signals.received() where Signals.termination.contains(signal) {
                let now = ContinuousClock.now
                if let patience, now >= patience { _exit(128 + signal) }
                patience = patience ?? now + .seconds(1)
                state.store(true, ordering: .relaxed)
            }
        }
    }
}
