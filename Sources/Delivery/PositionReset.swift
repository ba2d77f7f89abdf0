/// Why a partition does not continue where it was: its log is no longer the one that was read.
public struct PositionReset: Equatable, Sendable {
    /// What happened to the log.
    public enum Cause: String, Sendable {
        /// Records were deleted from its beginning before they were read.
        case expired
        /// It was replaced or truncated: the topic was recreated, or a broker lost data.
        case replaced
    }

    /// How the offset was chosen at which reading continues.
    public enum Choice: Equatable, Sendable {
        /// The oldest one available, as what came before it is gone.
        case oldest
        /// The first one of a record that is not earlier than this time, in milliseconds since
        /// 1970.
        case time(Int64)
        /// The oldest one available, as all records are earlier than this time.
        case noRecord(since: Int64)
        /// The oldest one available, as the time of the last finished record says nothing, or is
        /// not known.
        case noTime
    }

    /// How much earlier than the last finished record reading continues in a log that was replaced,
    /// in milliseconds: the times of records in a row differ a little.
    public static let margin: Int64 = 60_000

    /// What happened to the log.
    public var cause: Cause
    /// The offset that would have been read next.
    public var from: Int64
    /// The offset that is read instead.
    public var to: Int64
    /// How it was chosen.
    public var choice: Choice
    /// The number of offsets that were never read and are lost; nil when it cannot be determined.
    public var gone: Int64?

    /// Creates a reset.
    public init(
        cause: Cause, from: Int64, to: Int64, gone: Int64?, choice: Choice = .oldest
    ) {
        self.cause = cause
        self.from = from
        self.to = to
        self.gone = gone
        self.choice = choice
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

    /// The time of the records at which reading continues in a log that was replaced, given that of
    /// the last finished record.
    public static func searchTime(finished time: Int64) -> Int64 { max(0, time - margin) }

    /// Chooses where to go on in a log that was replaced: at `offset`, that of the first record
    /// that is not earlier than ``searchTime(finished:)``, or nil if there is none. `time` is that
    /// of the last finished record, if it is known.
    ///
    /// A log that lost its end continues where it was, with what is in between sent again. Without
    /// such a record it is the oldest one, and never the end.
    public mutating func choose(finished time: Int64?, offset: Int64?) {
        guard cause == .replaced else { return }
        guard let time else {
            choice = .noTime
            return
        }
        let since = Self.searchTime(finished: time)
        guard let offset, offset >= to else {
            choice = .noRecord(since: since)
            return
        }
        to = offset
        choice = .time(since)
    }

    /// What the commit that continues there records about the log: a time only if the log is one
    /// that it fits.
    public func mark(partitionCount: Int?, finished time: Int64?) -> LogMark {
        if case .time = choice { return LogMark(partitionCount: partitionCount, time: time) }
        return LogMark(partitionCount: partitionCount)
    }
}
