internal import CLinux
internal import Delivery
internal import EventLoop
internal import Glibc

/// A descriptor that is readable from the first signal until it is cleared.
final class EventDescriptor: Sendable {
    let number: Int32

    init(_ operation: String) throws(KafkaFailure) {
        number = WakeupDescriptor.open()
        if number < 0 {
            let limit = linux_open_files_limit()
            throw KafkaFailure(
                code: "ERRNO_\(-number)", operation: operation,
                detail: "out of file descriptors: raise the limit of \(limit) (ulimit -n,"
                    + " LimitNOFILE= of systemd)")
        }
    }

    deinit { WakeupDescriptor.close(number) }

    /// Makes the descriptor readable. Any thread may call it.
    func signal() { WakeupDescriptor.signal(number) }

    /// Makes it unreadable; check for everything signalled before.
    func clear() {
        var count: UInt64 = 0
        _ = unsafe read(number, &count, 8)
    }

    /// Waits for a signal, at most this long; -1 waits forever.
    func wait(milliseconds: Int32) {
        var entry = pollfd(fd: number, events: Int16(POLLIN), revents: 0)
        _ = unsafe poll(&entry, 1, milliseconds)
        clear()
    }
}
