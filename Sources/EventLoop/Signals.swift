internal import CLinux
internal import Glibc

/// The signals that a process is told something by, as a stream.
public enum Signals {
    /// The signal by which an operator tells the guard of every line to let go: `SIGUSR1`.
    public static let release = SIGUSR1

    /// Every `SIGTERM` and `SIGINT` from now on, and those of `others`, by number.
    ///
    /// To be called once in a process.
    public static func termination(and others: [Int32] = []) -> AsyncStream<Int32> {
        let signals = [SIGTERM, SIGINT] + others
        let descriptor = unsafe linux_watch_signals(signals, Int32(signals.count))
        return AsyncStream { continuation in
            LoopThread(name: "signals") {
                var byte: UInt8 = 0
                while unsafe read(descriptor, &byte, 1) == 1 { continuation.yield(Int32(byte)) }
            }.detach()
        }
    }
}
