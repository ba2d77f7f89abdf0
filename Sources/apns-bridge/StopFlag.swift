internal import EventLoop
internal import Glibc
internal import Synchronization

/// Set by the first signal to stop; a second one ends the process.
final class StopFlag: Sendable {
    private let state = Atomic(false)

    /// True after a signal.
    var isSet: Bool { state.load(ordering: .relaxed) }

    /// Listens to signals until the task is cancelled.
    func listen() -> Task<Void, Never> {
        Task {
            for await signal in Signals.received() where Signals.termination.contains(signal) {
                if isSet { _exit(128 + signal) }
                state.store(true, ordering: .relaxed)
            }
        }
    }
}
