internal import EventLoop
internal import Synchronization

extension Array where Element: Sendable {
    /// The results of blocking work for each element, in the order of the elements: so many at a
    /// time, each on a thread of its own, the last of them on this one.
    func concurrentMap<Result: Sendable>(
        maxConcurrency: Int, _ body: @escaping @Sendable (Element) -> Result
    ) -> [Result] {
        let progress = ConcurrentProgress<Result>(count: count)
        let work = { @Sendable in progress.work { body(self[$0]) } }
        progress.run(work, threads: Swift.min(count, maxConcurrency) - 1)
        return progress.results
    }
}

/// The next element, and the results. Each has a lock of its own, which only its own thread takes
/// until all of them have ended: so ThreadSanitizer, which does not know the lock, need not.
private final class ConcurrentProgress<Result: Sendable>: Sendable {
    private final class Slot: Sendable {
        let result = Mutex<Result?>(nil)
    }

    private let next = Atomic(0)
    private let slots: [Slot]

    init(count: Int) { slots = (0..<count).map { _ in Slot() } }

    /// The results, once all threads have ended.
    var results: [Result] { slots.compactMap { $0.result.withLock { $0 } } }

    /// Works on elements until none is left.
    func work(_ body: (Int) -> Result) {
        while true {
            let number = next.wrappingAdd(1, ordering: .relaxed).oldValue
            guard number < slots.count else { return }
            let result = body(number)
            slots[number].result.withLock { $0 = result }
        }
    }

    /// Runs the same work on other threads and on this one, and waits for all of them. This one
    /// does what is left when there are fewer threads than wanted.
    func run(_ work: @escaping @Sendable () -> Void, threads: Int) {
        guard threads > 0, let thread = try? LoopThread(name: "check", work) else { return work() }
        run(work, threads: threads - 1)
        thread.join()
    }
}
