public import Delivery

/// The time on both clocks: judging needs the wall clock, waiting the monotonic clock.
public struct SimulatorMoment: Equatable, Sendable, BitwiseCopyable {
    /// The monotonic clock.
    public var now: Instant
    /// Milliseconds since 1970.
    public var wallClock: Int64

    /// Creates a moment.
    public init(now: Instant, wallClock: Int64) {
        self.now = now
        self.wallClock = wallClock
    }
}
