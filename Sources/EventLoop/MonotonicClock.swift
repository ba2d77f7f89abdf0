internal import CLinux
internal import Glibc

/// The clock of ``LinuxKernel/now``, for code without a kernel.
public enum MonotonicClock {
    /// Nanoseconds since a fixed, arbitrary moment.
    public static var now: UInt64 {
        var time = timespec()
        unsafe clock_gettime(CLOCK_MONOTONIC, &time)
        return UInt64(time.tv_sec) &* 1_000_000_000 &+ UInt64(time.tv_nsec)
    }
}
