internal import EventLoop
internal import Synchronization

/// Blocking work for each of several items, side by side on a few threads.
enum SideBySide {
    /// More than this many clusters or connectors are not checked at once: each needs a Kafka
    /// client, with threads and connections of its own.
    static let maxConcurrency = 16

    /// What is next, and what was found.
    private final class Progress<Found: Sendable>: Sendable {
        let state: Mutex<(next: Int, found: [Found?])>

        init(count: Int) { state = Mutex((0, Array(repeating: nil, count: count))) }

        /// Works on items until none is left.
        func work(_ body: (Int) -> Found) {
            while let number = take() {
                let found = body(number)
                state.withLock { $0.found[number] = found }
            }
        }

        private func take() -> Int? {
            state.withLock { state in
                guard state.next < state.found.count else { return nil }
                defer { state.next += 1 }
                return state.next
            }
        }
    }

    /// Does the work for each item, the last part of it on this thread, and returns the results in
    /// the order of the items.
    static func map<Item: Sendable, Found: Sendable>(
        _ items: [Item], _ body: @escaping @Sendable (Item) -> Found
    ) -> [Found] {
        let progress = Progress<Found>(count: items.count)
        let work = { @Sendable in progress.work { body(items[$0]) } }
        run(work, threads: min(items.count, maxConcurrency) - 1)
        return progress.state.withLock { $0.found }.compactMap { $0 }
    }

    /// Runs the same work on other threads and on this one, and waits for all of them. This one
    /// does what is left when there are fewer threads than wanted.
    private static func run(_ work: @escaping @Sendable () -> Void, threads: Int) {
        guard threads > 0, let thread = try? LoopThread(name: "check", work) else { return work() }
        run(work, threads: threads - 1)
        thread.join()
    }
}
