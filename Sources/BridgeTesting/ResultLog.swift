public import Delivery

/// The result topics in memory; they outlive the workers that write to them.
public final class ResultLog {
    /// A result record that was handed over.
    public struct Entry {
        /// What it says.
        public var record: ResultRecord
        /// When it was stored, in monotonic nanoseconds.
        public var time: UInt64
        /// True when its writer was told that it is stored.
        public var isAcknowledged: Bool
    }

    /// The time of its world.
    public let clock: SimulatedClock
    /// What goes wrong; asked in order.
    public var rules: [ResultRule] = []
    /// How long an acknowledgement takes, in nanoseconds.
    public var latency: ClosedRange<UInt64> = 1_000_000...10_000_000
    /// How many records may be underway; more are refused as `full`.
    public var queueLimit = 100_000
    /// How many partitions topics have; a writer does not learn it of others.
    public var partitionCounts: [String: Int] = [:]
    /// Every record that was stored, in the order of storing.
    public private(set) var entries: [Entry] = []
    /// How many records were handed over, those that were refused included.
    public private(set) var publishedCount = 0
    /// Called when a record is stored.
    public var onStored: (ResultRecord) -> Void = { _ in }
    /// Called when the writer is told that a record is stored.
    public var onAcknowledged: (ResultRecord) -> Void = { _ in }

    /// Empty topics.
    public init(clock: SimulatedClock) { self.clock = clock }

    /// The stored records of a topic.
    public func records(of topic: String) -> [ResultRecord] {
        entries.filter { $0.record.topic == topic }.map(\.record)
    }

    func answer(to record: ResultRecord) -> ResultAnswer? {
        publishedCount += 1
        for rule in rules {
            if let answer = rule.decide(record, clock) { return answer }
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
public enum ResultAnswer: Equatable, Sendable {
    /// It is stored and acknowledged after so many nanoseconds.
    case stored(after: UInt64)
    /// It is not stored, and that is said after so many nanoseconds.
    case failed(after: UInt64)
    /// It is stored, but its writer is told that it is not: the acknowledgement was lost.
    case storedUnheard(after: UInt64)
    /// The broker refuses its size after so many nanoseconds.
    case tooLarge(after: UInt64)
    /// There is no room now.
    case full
    /// The client refuses its size at once.
    case tooLargeAtOnce
    /// The client refuses it at once.
    case failedAtOnce
}

/// Decides about the result records that concern it; the first rule with an answer counts.
public struct ResultRule {
    let decide: (ResultRecord, SimulatedClock) -> ResultAnswer?

    /// Decides by a function, which answers nil to records that do not concern it.
    public init(_ decide: @escaping (_ record: ResultRecord, SimulatedClock) -> ResultAnswer?) {
        self.decide = decide
    }

    /// Gives `answer` to the next `count` records of `topic`, or of every topic.
    public static func times(
        _ count: Int, _ answer: ResultAnswer, topic: String? = nil
    ) -> ResultRule {
        var left = count
        return ResultRule { record, _ in
            guard left > 0, topic == nil || topic == record.topic else { return nil }
            left -= 1
            return answer
        }
    }

    /// Refuses every record of more than so many bytes of key, value and headers.
    public static func largest(_ bytes: Int, answer: ResultAnswer = .tooLargeAtOnce) -> ResultRule {
        ResultRule { record, _ in
            let headers = record.headers.reduce(0) {
                $0 + $1.name.utf8.count + ($1.value?.count ?? 0)
            }
            let size = (record.key?.count ?? 0) + (record.value?.count ?? 0) + headers
            return size > bytes ? answer : nil
        }
    }
}
