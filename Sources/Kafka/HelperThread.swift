internal import Delivery
internal import EventLoop
internal import Synchronization

/// A thread for requests that take a round trip.
final class HelperThread: Sendable {
    /// Longer than any request that a helper waits for, in milliseconds.
    static let timeout: Int32 = 5000

    private let thread = Mutex<LoopThread?>(nil)

    /// Runs `body` on a thread of its own and waits for it; false when it has not finished in time
    /// or the system has no thread for it.
    static func run(
        _ name: String, milliseconds: Int32, _ body: @escaping @Sendable () -> Void
    ) -> Bool {
        let thread = HelperThread()
        return (try? thread.start(name, body)) != nil && thread.join(milliseconds: milliseconds)
    }

    /// Starts the thread.
    func start(_ name: String, _ body: @escaping @Sendable () -> Void) throws(KafkaFailure) {
        do throws(KernelError) {
            try thread.withLock { thread throws(KernelError) in
                thread = try LoopThread(name: name, body)
            }
        } catch {
            throw KafkaFailure.outOfThreads(error.code)
        }
    }

    /// Waits for the thread to finish; its body must have been asked to. False when it has not
    /// finished in time.
    ///
    /// The library waits for responses by the wall clock: when that is set back, a request of a few
    /// hundred milliseconds may take hours.
    func join(milliseconds: Int32) -> Bool {
        thread.withLock { thread in
            guard thread?.join(milliseconds: milliseconds) ?? true else { return false }
            thread = nil
            return true
        }
    }
}
