/// Why a partition does not continue where it was: its log is no longer the one that was read.
public struct PositionReset: Equatable, Sendable {
    /// What happened to the log.
    public enum Cause: String, Sendable {
        /// Records were deleted from its beginning before they were read.
        case expired
        /// It was replaced or truncated: the topic was recreated, or a broker lost data.
        case replaced
    }

    /// What happened to the log.
    public var cause: Cause
    /// The offset that would have been read next.
    public var from: Int64
    /// The offset that is read instead: the oldest available.
    public var to: Int64
    /// The number of offsets that were never read and are lost; nil when it cannot be determined.
    public var gone: Int64?

    /// Creates a reset.
    public init(cause: Cause, from: Int64, to: Int64, gone: Int64?) {
        self.cause = cause
        self.from = from
        self.to = to
        self.gone = gone
    }

    /// Determines where to continue in a partition with offsets from `low` up to `high`.
    ///
    /// - `next` is the next offset to read, and `refused` the one that Kafka did not have; nil when
    ///   none was refused.
    /// - `highest` is the highest `high` seen so far; nil without any.
    ///
    /// Nil means that the log is unchanged: reading continues at `next`.
    public init?(next: Int64, refused: Int64?, low: Int64, high: Int64, highest: Int64?) {
        let unread = highest.flatMap { $0 >= next ? $0 - next : nil }
        if next < low {
            self.init(cause: .expired, from: next, to: low, gone: low - next)
        } else if next > high || high < highest ?? high {
            self.init(cause: .replaced, from: next, to: low, gone: unread)
        } else if let refused, refused >= next {
            // It was refused a moment ago and exists now: a new log has grown past it.
            self.init(cause: .replaced, from: next, to: low, gone: unread)
        } else {
            return nil
        }
    }
}
