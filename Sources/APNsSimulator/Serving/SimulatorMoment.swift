/// The time on both clocks: judging needs the wall clock, waiting the monotonic clock.
public struct SimulatorMoment: Equatable, Sendable, BitwiseCopyable {
    /// Monotonic nanoseconds.
    public var now: UInt64
    /// Milliseconds since 1970.
    public var wallClock: Int64

    /// Creates a moment.
    public init(now: UInt64, wallClock: Int64) {
        self.now = now
        self.wallClock = wallClock
    }
}
