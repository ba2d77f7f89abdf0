internal import Glibc

/// The two system calls of this module: all of its unsafe code.
enum System {
    /// Writes all bytes; returns 0 or the error number.
    static func write(_ bytes: [UInt8], to descriptor: Int32) -> Int32 {
        unsafe bytes.withUnsafeBytes { buffer in
            var rest = unsafe buffer[...]
            while unsafe !rest.isEmpty {
                let piece = unsafe UnsafeRawBufferPointer(rebasing: rest)
                let count = unsafe Glibc.write(descriptor, piece.baseAddress, piece.count)
                if count < 0 {
                    let code = errno
                    if code == EINTR { continue }
                    guard code == EAGAIN else { return code }
                    var room = pollfd(fd: descriptor, events: Int16(POLLOUT), revents: 0)
                    _ = unsafe poll(&room, 1, -1)
                    continue
                }
                unsafe rest = rest.dropFirst(count)
            }
            return 0
        }
    }

    /// Milliseconds since 1970.
    static func wallClock() -> Int64 {
        var time = timespec()
        unsafe clock_gettime(CLOCK_REALTIME, &time)
        return Int64(time.tv_sec) * 1000 + Int64(time.tv_nsec) / 1_000_000
    }
}
