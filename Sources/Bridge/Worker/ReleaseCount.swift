internal import Synchronization

/// Counts the guards that workers release for one request.
///
/// It travels with the messages of the request. The count is complete when the last of them is
/// gone: each worker has handled its message, or has ended, and its guards with it.
public final class ReleaseCount: Sendable {
    private let released = Atomic(0)
    private let onCompletion: @Sendable (Int) -> Void

    /// Calls a function with the number of guards released, once, on any thread.
    public init(onCompletion: @escaping @Sendable (Int) -> Void) {
        self.onCompletion = onCompletion
    }

    deinit { onCompletion(released.load(ordering: .acquiring)) }

    /// A worker has released so many.
    func add(_ count: Int) { released.add(count, ordering: .acquiringAndReleasing) }
}
