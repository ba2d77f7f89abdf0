internal import Synchronization

/// What the owner of a consumer has taken, and whether the helper's thread is awake for it.
///
/// The owner counts before it looks whether the thread is awake, and the thread says that it is
/// idle before it looks whether something was counted: whichever comes last sees the other, so that
/// no wake-up is lost.
final class TakenCounts: Sendable {
    private let taken = Atomic(0)
    private let takenBytes = Atomic(0)
    private let isAwake = Atomic(false)

    /// The number of records taken so far.
    var records: Int { taken.load(ordering: .sequentiallyConsistent) }
    /// Their bytes.
    var bytes: Int { takenBytes.load(ordering: .relaxed) }

    /// True while the thread is not idle.
    var isBusy: Bool { isAwake.load(ordering: .sequentiallyConsistent) }

    /// Counts what was taken; true when the thread is idle and has to be woken.
    func note(_ count: Int, bytes: Int) -> Bool {
        takenBytes.add(bytes, ordering: .relaxed)
        taken.add(count, ordering: .sequentiallyConsistent)
        guard !isAwake.load(ordering: .sequentiallyConsistent) else { return false }
        return !isAwake.exchange(true, ordering: .sequentiallyConsistent)
    }

    /// The thread is about to wait, having seen that many records; false when more were taken
    /// meanwhile, so that it must not.
    func goIdle(having seen: Int) -> Bool {
        isAwake.store(false, ordering: .sequentiallyConsistent)
        guard records != seen else { return true }
        isAwake.store(true, ordering: .sequentiallyConsistent)
        return false
    }
}
