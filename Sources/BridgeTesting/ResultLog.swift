public import Delivery

/// The result topics in memory; they outlive the workers that write to them.
public final class ResultLog {
    /// A stored result record.
    public struct Entry {
        /// The record.
        public var record: ResultRecord
        /// When it was stored.
        public var time: Instant
        /// True when its writer has been notified that it is stored.
        public var isAcknowledged: Bool
    }

    /// The clock of its world.
    public let clock: SimulatedClock
    /// The rules for failures, tried in order.
    public var rules: [ResultRule] = []
    /// The error of records that are not stored.
    public var failure = KafkaFailure(code: "MSG_TIMED_OUT", detail: "scripted", isFatal: false)
    /// How long an acknowledgement takes.
    public var latency = Duration.milliseconds(1)...Duration.milliseconds(10)
    /// Whether writers reach Kafka.
    public var reach = SimulatedReach()
    /// How many records may be in progress; further ones are rejected as `full`.
    public var queueLimit = 100_000
    /// The partition counts of topics; those of other topics remain unknown to writers.
    public var partitionCounts: [String: Int] = [:]
    /// Every stored record, in the order of storing.
    public private(set) var entries: [Entry] = []
    /// The number of records handed over, including rejected ones.
    public private(set) var publishedCount = 0
    /// Called when a record is stored.
    public var onStored: (ResultRecord) -> Void = { _ in }
    /// Called when the writer learns that a record is stored.
    public var onAcknowledged: (ResultRecord) -> Void = { _ in }

    /// Creates empty topics.
    public init(clock: SimulatedClock) { self.clock = clock }

    /// The stored records of a topic.
    public func records(of topic: String) -> [ResultRecord] {
        entries.filter { $0.record.topic == topic }.map(\.record)
    }

    func response(to record: ResultRecord) -> PublishResponse? {
        publishedCount += 1
        for rule in rules {
            if let response = rule.decide(record, clock) { return response }
        }
        return nil
    }

    func store(_ record: ResultRecord) -> Int {
        entries.append(Entry(record: record, time: clock.now, isAcknowledged: false))
        onStored(record)
        return entries.count - 1
    }

    func acknowledge(_ index: Int) {
        entries[index].isAcknowledged = true
        onAcknowledged(entries[index].record)
    }
}

/// What happens to a result record.
public enum PublishResponse: Equatable, Sendable {
    /// It is stored and acknowledged after so long.
    case stored(after: Duration)
    /// It is not stored, which is reported after so long.
    case failed(after: Duration)
    /// It is stored, but reported as failed: the acknowledgement was lost.
    case storedUnconfirmed(after: Duration)
    /// The broker rejects its size after so long.
    case tooLarge(after: Duration)
    /// There is no room now.
    case full
    /// The client rejects its size immediately.
    case tooLargeAtOnce
    /// The client rejects it immediately.
    case failedAtOnce
}

/// Decides what happens to result records; the first rule that returns a result counts.
public struct ResultRule {
    let decide: (ResultRecord, SimulatedClock) -> PublishResponse?

    /// Creates a rule from a function, which returns nil for records that it does not apply to.
    public init(_ decide: @escaping (_ record: ResultRecord, SimulatedClock) -> PublishResponse?) {
        self.decide = decide
    }

    /// Applies `answer` to the next `count` records of `topic`, or of every topic.
    public static func times(
        _ count: Int, _ response: PublishResponse, topic: String? = nil
    ) -> ResultRule {
        var left = count
        return ResultRule { record, _ in
            guard left > 0, topic == nil || topic == record.topic else { return nil }
            left -= 1
            return response
        }
    }

    /// Rejects every record with more than this many bytes of key, value and headers.
    public static func largest(
        _ bytes: Int, response: PublishResponse = .tooLargeAtOnce
    ) -> ResultRule {
        ResultRule { record, _ in
            let headers = record.headers.reduce(0) {
                $0 + $1.name.utf8.count + ($1.value?.count ?? 0)
            }
            let size = (record.key?.count ?? 0) + (record.value?.count ?? 0) + headers
            return size > bytes ? response : nil
        }
    }
}
