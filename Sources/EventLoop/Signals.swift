internal import CLinux
internal import Glibc

/// The signals sent to the process, as a stream.
public enum Signals {
    /// The signals that ask a process to stop: `SIGTERM` and `SIGINT`.
    public static let termination = [SIGTERM, SIGINT]
    /// The signal by which an operator releases every mass-invalidation guard: `SIGUSR1`.
    public static let release = SIGUSR1
    /// The signal by which an operator has the files read again: `SIGHUP`.
    public static let reload = SIGHUP

    /// From now on these signals have no effect except to appear in ``received()``, including those
    /// that arrive before it is first read.
    public static func watch(_ signals: [Int32]) {
        unsafe linux_watch_signals(signals, Int32(signals.count))
    }

    /// Every watched signal, by number, in order of arrival; for a single reader.
    public static func received() -> AsyncStream<Int32> {
        let descriptor = unsafe linux_watch_signals([], 0)
        return AsyncStream { continuation in
            LoopThread.required(name: "signals") {
                var byte: UInt8 = 0
                while unsafe read(descriptor, &byte, 1) == 1 { continuation.yield(Int32(byte)) }
            }.detach()
        }
    }
}
