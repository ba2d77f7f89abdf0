internal import CLinux
public import Delivery
internal import Glibc

/// The wall clock, for code without a kernel.
public enum WallClock {
    /// Milliseconds since 1970.
    public static var milliseconds: Int64 {
        var time = timespec()
        unsafe clock_gettime(CLOCK_REALTIME, &time)
        return Int64(time.tv_sec) * 1000 + Int64(time.tv_nsec) / 1_000_000
    }
}

/// The clock of ``LinuxKernel/now``, for code without a kernel.
public enum MonotonicClock {
    /// The time.
    public static var now: Instant {
        var time = timespec()
        unsafe clock_gettime(CLOCK_MONOTONIC, &time)
        return Instant(
            nanoseconds: UInt64(time.tv_sec) &* 1_000_000_000 &+ UInt64(time.tv_nsec))
    }
}
