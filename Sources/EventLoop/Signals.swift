internal import CLinux
internal import Glibc

/// The signals that ask a process to stop, as a stream.
public enum Signals {
    /// Every `SIGTERM` and `SIGINT` from now on, by number. To be called once in a process.
    public static func termination() -> AsyncStream<Int32> {
        let signals = [SIGTERM, SIGINT]
        let descriptor = unsafe linux_watch_signals(signals, Int32(signals.count))
        return AsyncStream { continuation in
            LoopThread(name: "signals") {
                var byte: UInt8 = 0
                while unsafe read(descriptor, &byte, 1) == 1 { continuation.yield(Int32(byte)) }
            }.detach()
        }
    }
}
