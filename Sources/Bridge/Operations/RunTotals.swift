internal import Delivery
internal import Engine
internal import Telemetry

/// What became of records and pushes, as the summaries in the log count it.
///
/// Each push is counted once Kafka has its outcome, or its record in the retry topic; so `pushes`
/// is the sum of all verdicts, of `retryTopic` and of ``left``.
struct RunTotals: Equatable, Sendable {
    /// Records taken from Kafka.
    var taken = 0
    /// Records that `when` filtered out.
    var filtered = 0
    /// Records that an earlier worker had done.
    var alreadyDone = 0
    /// Pushes made from records.
    var pushes = 0
    /// Pushes that APNs accepted.
    var accepted = 0
    /// Other pushes, by verdict and reason.
    var others: [Verdict: [String: Int]] = [:]
    /// How often a push waited for a retry.
    var retries = 0
    /// Pushes that Kafka has stored in the retry topic.
    var retryTopic = 0
    /// Responses of APNs.
    var responses = 0
    /// Those of them that took long.
    var slowResponses = 0

    init() {}

    /// The totals of one run of a worker.
    init(_ figures: WorkerFigures) {
        let counters = figures.counters
        taken = counters.records
        filtered = counters.filtered
        alreadyDone = counters.alreadyDone
        pushes = counters.pushes
        retries = counters.retries
        retryTopic = counters.storedInRetryTopic
        accepted = Int(figures.pushes.acceptedTotal)
        let roundTrip = figures.pushes.roundTrip
        responses = Int(roundTrip.count)
        slowResponses = responses - Int(roundTrip.count(upTo: RecentDeliveries.slowResponse))
        for (kind, count) in figures.pushes.others {
            others[kind.verdict, default: [:]][kind.reason, default: 0] += Int(count)
        }
    }

    /// The number of pushes with a verdict.
    func count(_ verdict: Verdict) -> Int {
        verdict == .accepted ? accepted : others[verdict]?.values.reduce(0, +) ?? 0
    }

    /// Pushes that are not done: Kafka has no outcome of them, and their records are uncommitted.
    var left: Int {
        pushes - retryTopic - Verdict.allCases.reduce(0) { $0 + count($1) }
    }

    mutating func add(_ other: RunTotals) { combine(other, +) }

    /// What was added since earlier totals.
    func since(_ earlier: RunTotals) -> RunTotals {
        var difference = self
        difference.combine(earlier) { max(0, $0 - $1) }
        return difference
    }

    private mutating func combine(_ other: RunTotals, _ operation: (Int, Int) -> Int) {
        taken = operation(taken, other.taken)
        filtered = operation(filtered, other.filtered)
        alreadyDone = operation(alreadyDone, other.alreadyDone)
        pushes = operation(pushes, other.pushes)
        accepted = operation(accepted, other.accepted)
        retries = operation(retries, other.retries)
        retryTopic = operation(retryTopic, other.retryTopic)
        responses = operation(responses, other.responses)
        slowResponses = operation(slowResponses, other.slowResponses)
        for (verdict, reasons) in other.others {
            for (reason, count) in reasons {
                let sum = operation(others[verdict]?[reason] ?? 0, count)
                others[verdict, default: [:]][reason] = sum == 0 ? nil : sum
            }
            if others[verdict]?.isEmpty == true { others[verdict] = nil }
        }
    }
}

/// The totals as fields of a log line.
extension RunTotals {
    /// How many reasons of a verdict are named; all others count as `other`.
    private static let namedReasons = 3

    var metadata: Logger.Metadata {
        var fields: Logger.Metadata = ["taken": .number(taken), "pushes": .number(pushes)]
        for verdict in Verdict.allCases {
            fields[verdict.rawValue] = .number(count(verdict))
            if let reasons = others[verdict], reasons.contains(where: { !$0.key.isEmpty }) {
                fields["\(verdict.rawValue)_reasons"] = Self.commonest(reasons)
            }
        }
        for (name, count) in [
            ("filtered", filtered), ("already_done", alreadyDone), ("retries", retries),
            ("to_retry_topic", retryTopic), ("slow_responses", slowResponses),
        ] where count != 0 {
            fields[name] = .number(count)
        }
        return fields
    }

    private static func commonest(_ reasons: [String: Int]) -> MetadataValue {
        let sorted = reasons.sorted {
            $0.value == $1.value ? $0.key < $1.key : $0.value > $1.value
        }
        var named: Logger.Metadata = [:]
        var others = 0
        for (index, (reason, count)) in sorted.enumerated() {
            if index < namedReasons, !reason.isEmpty, reason != PushFigures.otherReason {
                named[reason] = .number(count)
            } else {
                others += count
            }
        }
        if others > 0 { named[PushFigures.otherReason] = .number(others) }
        return .dictionary(named)
    }
}
