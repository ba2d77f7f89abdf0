internal import CLinux
internal import Glibc

/// An operating-system thread that runs one closure and then exits.
///
/// `body` is `sending`: whatever it captures leaves the caller for good, so a loop can own
/// non-`Sendable` values without a lock, an actor, or an unchecked conformance.
public struct LoopThread: ~Copyable, Sendable {
    private let handle: pthread_t

    /// True where a test lets the system have no thread left.
    @TaskLocal package static var isLimitReached = false

    /// Starts a thread; `name` is shown by debuggers and `top -H`, 15 characters at most.
    ///
    /// Throws when the system has no thread, or no memory for its stack; `body` is then not called.
    public init(name: String, _ body: sending @escaping () -> Void) throws(KernelError) {
        guard !Self.isLimitReached else { throw Self.failure(EAGAIN) }
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
        guard result == 0 else {
            unsafe Unmanaged<Start>.fromOpaque(start).release()
            throw Self.failure(result)
        }
        self.handle = handle
    }

    /// Starts a thread without which the process cannot go on: if there is none, says so on
    /// standard error, and exits with 69, after which a supervisor starts the process again.
    public static func required(
        name: String, _ body: sending @escaping () -> Void
    ) -> LoopThread {
        do throws(KernelError) {
            return try LoopThread(name: name, body)
        } catch {
            let line = Array("error: \(error.description)\n".utf8)
            _ = unsafe write(2, line, line.count)
            _exit(69)
        }
    }

    /// Ends the process, as ``required(name:_:)`` does, unless so many threads can run at once. The
    /// threads of Swift's tasks wait silently for the system to have one.
    public static func require(_ count: Int) {
        guard count > 0 else { return }
        required(name: "probe") { require(count - 1) }.join()
    }

    private static func failure(_ code: Int32) -> KernelError {
        let reason = unsafe String(cString: strerror(code))
        return KernelError(
            operation: "pthread_create", code: code,
            description: "cannot start a thread: \(reason): raise the limit of threads"
                + " (ulimit -u, TasksMax= of systemd, pids.max of the control group) or of memory")
    }

    /// Waits for the thread to exit.
    public consuming func join() {
        pthread_join(handle, nil)
    }

    /// Waits for the thread to exit, at most this long; false when it has not. After true it must
    /// not be joined again.
    package func join(milliseconds: Int32) -> Bool {
        linux_join_thread(handle, milliseconds) == 0
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
