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

/// The next element, and the results.
private final class ConcurrentProgress<Result: Sendable>: Sendable {
    private let state: Mutex<(next: Int, results: [Result?])>

    init(count: Int) { state = Mutex((0, Array(repeating: nil, count: count))) }

    var results: [Result] { state.withLock { $0.results }.compactMap { $0 } }

    /// Works on elements until none is left.
    func work(_ body: (Int) -> Result) {
        while let number = take() {
            let result = body(number)
            state.withLock { $0.results[number] = result }
        }
    }

    private func take() -> Int? {
        state.withLock { state in
            guard state.next < state.results.count else { return nil }
            defer { state.next += 1 }
            return state.next
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
