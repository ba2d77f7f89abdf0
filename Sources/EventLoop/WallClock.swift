internal import CLinux
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
