internal import CLinux
internal import Glibc

/// An operating-system thread that runs one closure and then exits.
///
/// `body` is `sending`: whatever it captures leaves the caller for good, so a loop can own
/// non-`Sendable` values without a lock, an actor, or an unchecked conformance.
public struct LoopThread: ~Copyable, Sendable {
    private let handle: pthread_t

    /// Starts a thread; `name` is shown by debuggers and `top -H`, 15 characters at most.
    public init(name: String, _ body: sending @escaping () -> Void) {
        let start = unsafe Unmanaged.passRetained(Start(name: name, body: body)).toOpaque()
        var handle = pthread_t()
        let result = unsafe pthread_create(
            &handle, nil,
            { raw in
                guard let raw = unsafe raw else { return nil }
                let start = unsafe Unmanaged<Start>.fromOpaque(raw).takeRetainedValue()
                unsafe linux_name_this_thread(start.name)
                start.body()
                return nil
            }, start)
        precondition(result == 0, "pthread_create failed: out of memory or threads")
        self.handle = handle
    }

    /// Waits for the thread to exit.
    public consuming func join() {
        pthread_join(handle, nil)
    }

    /// Lets the thread exit on its own.
    public consuming func detach() {
        pthread_detach(handle)
    }

    private final class Start {
        let name: String
        let body: () -> Void

        init(name: String, body: @escaping () -> Void) {
            self.name = name
            self.body = body
        }
    }
}
