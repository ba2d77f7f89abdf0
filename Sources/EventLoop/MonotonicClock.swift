internal import Glibc

/// The clock of ``LinuxKernel/now``, for those who have no kernel.
public enum MonotonicClock {
    /// Nanoseconds since some moment that stays the same.
    public static var now: UInt64 {
        var time = timespec()
        unsafe clock_gettime(CLOCK_MONOTONIC, &time)
        return UInt64(time.tv_sec) &* 1_000_000_000 &+ UInt64(time.tv_nsec)
    }
}
