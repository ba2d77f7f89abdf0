internal import Encoding

/// Decides which pushes are traced: as the producer of the event did, where it says so; otherwise
/// a share of them, by the trace ID alone, so that the same push is always traced or never.
public struct TraceSampler: Equatable, Sendable {
    /// The share of pushes without a `traceparent` that are traced, 0 to 1.
    public let share: Double
    private let threshold: UInt64

    /// Creates a sampler.
    public init(share: Double) {
        self.share = min(max(share, 0), 1)
        // 2^64: the numbers that trace IDs are mixed to lie below it.
        threshold = self.share < 1 ? UInt64(self.share * 18_446_744_073_709_551_616) : .max
    }

    /// True when a push is traced.
    ///
    /// `parent` is the context of its event, if it has a valid one, and `own` the trace that it
    /// has otherwise.
    public func samples(parent: TraceContext?, own: TraceID) -> Bool {
        if let parent { return parent.isSampled }
        if share >= 1 { return true }
        return SeededGenerator.mix(own.high ^ SeededGenerator.mix(own.low)) < threshold
    }
}
