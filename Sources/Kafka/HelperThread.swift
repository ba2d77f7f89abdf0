internal import CLinux
internal import Glibc
internal import Synchronization

/// A thread for requests that take a round trip.
final class HelperThread: Sendable {
    /// The thread's input when it starts.
    private final class Work: Sendable {
        let name: String
        let body: @Sendable () -> Void

        init(_ name: String, _ body: @escaping @Sendable () -> Void) {
            self.name = name
            self.body = body
        }
    }

    /// Longer than any request that a helper waits for, in milliseconds.
    static let timeout: Int32 = 5000

    private let handle = Mutex<pthread_t?>(nil)

    /// Runs `body` on a thread of its own and waits for it; false when it has not finished in time
    /// or the system has no thread for it.
    static func run(
        _ name: String, milliseconds: Int32, _ body: @escaping @Sendable () -> Void
    ) -> Bool {
        let thread = HelperThread()
        return thread.start(name, body) == 0 && thread.join(milliseconds: milliseconds)
    }

    /// Starts the thread; returns 0 or the system's error number.
    func start(_ name: String, _ body: @escaping @Sendable () -> Void) -> Int32 {
        var thread = pthread_t()
        let work = unsafe Unmanaged.passRetained(Work(name, body))
        let result = unsafe pthread_create(
            &thread, nil,
            { context in
                guard let context = unsafe context else { return nil }
                let work = unsafe Unmanaged<Work>.fromOpaque(context).takeRetainedValue()
                unsafe linux_name_this_thread(work.name)
                work.body()
                return nil
            }, work.toOpaque())
        guard result == 0 else {
            unsafe work.release()
            return result
        }
        handle.withLock { [thread] in $0 = thread }
        return 0
    }

    /// Waits for the thread to finish; its body must have been told to. False when it has not
    /// finished in time.
    ///
    /// The library waits for responses by the wall clock: when that is set back, a request of a few
    /// hundred milliseconds may take hours.
    func join(milliseconds: Int32) -> Bool {
        guard let thread = handle.withLock({ $0 }) else { return true }
        guard linux_join_thread(thread, milliseconds) == 0 else { return false }
        handle.withLock { $0 = nil }
        return true
    }
}
