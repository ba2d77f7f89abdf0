/// Why a partition does not continue where it was: Kafka no longer has the log that was being read.
public struct PositionReset: Equatable, Sendable {
    /// What has happened to the log.
    public enum Cause: String, Sendable {
        /// Records were removed from its beginning before they were read.
        case expired
        /// It was replaced by another one, or cut: the topic was recreated, or a broker lost data.
        case replaced
    }

    /// What has happened to the log.
    public var cause: Cause
    /// The offset that was to be read next.
    public var from: Int64
    /// The offset that is read instead: the oldest that Kafka has.
    public var to: Int64
    /// How many offsets nobody has read or ever will; nil when Kafka does not let us know.
    public var gone: Int64?

    /// Describes a change of position.
    public init(cause: Cause, from: Int64, to: Int64, gone: Int64?) {
        self.cause = cause
        self.from = from
        self.to = to
        self.gone = gone
    }

    /// Where to continue with a partition of which Kafka has the offsets from `low` up to `high`.
    ///
    /// - `next` is the offset to be read next, and `refused` the one that Kafka did not have; nil
    ///   when it refused none.
    /// - `highest` is the greatest `high` that was ever seen; nil when none was.
    ///
    /// Nil means that the log is the same as before: it continues at `next`.
    public init?(next: Int64, refused: Int64?, low: Int64, high: Int64, highest: Int64?) {
        let unread = highest.flatMap { $0 >= next ? $0 - next : nil }
        if next < low {
            self.init(cause: .expired, from: next, to: low, gone: low - next)
        } else if next > high || high < highest ?? high {
            self.init(cause: .replaced, from: next, to: low, gone: unread)
        } else if let refused, refused >= next {
            // It was refused a moment ago, and is there now: a new log has grown past it.
            self.init(cause: .replaced, from: next, to: low, gone: unread)
        } else {
            return nil
        }
    }
}
