internal import APNs
public import Delivery
public import Telemetry

/// Pushes by outcome, and their latencies.
///
/// They are counted once Kafka has the outcome: from then on the verdict is final.
public struct PushFigures: Equatable, Sendable {
    /// The labels of pushes that APNs did not accept.
    public struct Kind: Hashable, Sendable {
        /// The index of the app; -1 for none.
        public var app: Int
        /// The push type.
        public var pushType: PushType
        /// The verdict.
        public var verdict: Verdict
        /// The reason; empty for none.
        public var reason: String

        /// Describes pushes.
        public init(app: Int, pushType: PushType, verdict: Verdict, reason: String) {
            self.app = app
            self.pushType = pushType
            self.verdict = verdict
            self.reason = reason
        }
    }

    /// The reason of retries whose last request got no response.
    public static let inDoubt = "in_doubt"
    /// Replaces reasons that are in no table.
    public static let otherReason = "other"

    /// All other pushes.
    public private(set) var others: [Kind: UInt64] = [:]
    /// How often a push waited for a retry, by reason.
    public private(set) var retries: [String: UInt64] = [:]
    /// The same pushes by labels; nil unless metrics have labels of events.
    public private(set) var labelled: LabelFigures?
    /// The three histograms below, and pushes that APNs accepted, by app and push type.
    private var latencies: HistogramGroup
    /// From the event to APNs' response, in milliseconds, for accepted pushes.
    public var eventToAccepted: Histogram { latencies[0] }
    /// From the event to the stored outcome, in milliseconds.
    public var eventToOutcome: Histogram { latencies[1] }
    /// From the request to APNs' response, in milliseconds.
    public var roundTrip: Histogram { latencies[2] }

    /// Creates empty figures for this many apps, and for these labels of events.
    public init(apps: Int, labels: [String] = []) {
        labelled = labels.isEmpty ? nil : LabelFigures(names: labels)
        latencies = HistogramGroup(counters: apps * Self.slotsPerApp)
    }

    /// The number of pushes of an app and a type that APNs accepted.
    public func accepted(app: Int, _ pushType: PushType) -> UInt64 {
        latencies.count(Self.slot(app, pushType))
    }

    /// The number of pushes that APNs accepted.
    public var acceptedTotal: UInt64 { latencies.total }

    /// Room for the push types of an app.
    static let slotsPerApp = 16

    private static func slot(_ app: Int, _ pushType: PushType) -> Int {
        app &* slotsPerApp &+ pushType.number
    }

    /// Counts a push that APNs accepted.
    package mutating func countAccepted(_ app: AppID, _ pushType: PushType) {
        latencies.increment(Self.slot(app.index, pushType))
    }

    /// Counts a push with any other verdict.
    package mutating func count(
        _ app: AppID, _ pushType: PushType, _ verdict: Verdict, reason: String?
    ) {
        var kind = Kind(app: app.index, pushType: pushType, verdict: verdict, reason: reason ?? "")
        if others[kind] == nil, !Self.isKnown(kind.reason) { kind.reason = Self.otherReason }
        others[kind, default: 0] &+= 1
    }

    /// Counts that a push waits for a retry: for the reason of APNs' response, empty where it gave
    /// none.
    package mutating func countRetry(reason: String) {
        let isKnown = retries[reason] != nil || reason == Self.inDoubt || Self.isKnown(reason)
        retries[isKnown ? reason : Self.otherReason, default: 0] &+= 1
    }

    /// Counts a push by its labels, whose values are separated by zero bytes.
    package mutating func countLabels(
        _ key: [UInt8], _ app: AppID, _ pushType: PushType, _ verdict: Verdict, reason: String?,
        now: Instant
    ) {
        let kind = Kind(app: app.index, pushType: pushType, verdict: verdict, reason: reason ?? "")
        labelled?.count(kind, key, now: now)
    }

    /// Measures a push whose outcome Kafka has stored. All times are in milliseconds since 1970.
    /// The latencies of one with a trace become exemplars.
    package mutating func measure(
        event: Int64, sent: Int64?, responded: Int64?, stored: Int64, isAccepted: Bool,
        trace: String? = nil
    ) {
        var accepted: UInt64?
        var roundTrip: UInt64?
        let outcome = Self.span(from: event, to: stored)
        if let responded {
            if isAccepted { accepted = Self.span(from: event, to: responded) }
            if let sent { roundTrip = Self.span(from: sent, to: responded) }
        }
        latencies.record(accepted, outcome, roundTrip)
        if let trace { note(trace, at: stored, accepted, outcome, roundTrip) }
    }

    private mutating func note(
        _ trace: String, at stored: Int64, _ accepted: UInt64?, _ outcome: UInt64,
        _ roundTrip: UInt64?
    ) {
        for (number, value) in [accepted, outcome, roundTrip].enumerated() {
            guard let value else { continue }
            latencies.note(Exemplar(value: value, trace: trace, time: stored), in: number)
        }
    }

    static func isKnown(_ reason: String) -> Bool {
        reason.isEmpty || DropReason(rawValue: reason) != nil
            || ReasonTable.rows.contains { $0.reason == reason }
    }

    /// A clock may have been set back in between.
    private static func span(from start: Int64, to end: Int64) -> UInt64 {
        let (difference, overflow) = end.subtractingReportingOverflow(start)
        return overflow || difference < 0 ? 0 : UInt64(difference)
    }
}
