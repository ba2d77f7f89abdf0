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

    /// Replaces reasons that are in no table.
    public static let otherReason = "other"

    /// Pushes that APNs accepted, by app and push type.
    private var accepted: [UInt64]
    /// All other pushes.
    public private(set) var others: [Kind: UInt64] = [:]
    /// The same pushes by labels; nil unless metrics have labels of events.
    public private(set) var labelled: LabelFigures?
    /// From the event to APNs' response, in milliseconds, for accepted pushes.
    public private(set) var eventToAccepted = Histogram()
    /// From the event to the stored outcome, in milliseconds.
    public private(set) var eventToOutcome = Histogram()
    /// From the request to APNs' response, in milliseconds.
    public private(set) var roundTrip = Histogram()

    /// Creates empty figures for this many apps, and for these labels of events.
    public init(apps: Int, labels: [String] = []) {
        labelled = labels.isEmpty ? nil : LabelFigures(names: labels)
        accepted = Array(repeating: 0, count: apps * PushType.allCases.count)
    }

    /// The number of pushes of an app and a type that APNs accepted.
    public func accepted(app: Int, _ pushType: PushType) -> UInt64 {
        accepted[Self.place(app, pushType)]
    }

    /// The number of pushes that APNs accepted.
    public var acceptedTotal: UInt64 { accepted.reduce(0, +) }

    private static func place(_ app: Int, _ pushType: PushType) -> Int {
        app * PushType.allCases.count + pushType.number
    }

    /// Counts a push that APNs accepted.
    @inline(__always)
    package mutating func countAccepted(_ app: AppID, _ pushType: PushType) {
        accepted[Self.place(app.index, pushType)] &+= 1
    }

    /// Counts a push with any other verdict.
    package mutating func count(
        _ app: AppID, _ pushType: PushType, _ verdict: Verdict, reason: String?
    ) {
        var kind = Kind(app: app.index, pushType: pushType, verdict: verdict, reason: reason ?? "")
        if others[kind] == nil, !Self.isKnown(kind.reason) { kind.reason = Self.otherReason }
        others[kind, default: 0] &+= 1
    }

    /// Counts a push by its labels, whose values are separated by zero bytes.
    package mutating func countLabels(
        _ key: [UInt8], _ app: AppID, _ pushType: PushType, _ verdict: Verdict, reason: String?
    ) {
        let kind = Kind(app: app.index, pushType: pushType, verdict: verdict, reason: reason ?? "")
        labelled?.count(kind, key)
    }

    /// Measures a push whose outcome Kafka has stored. All times are in milliseconds since 1970.
    /// The latencies of one with a trace become exemplars.
    @inline(__always)
    package mutating func measure(
        event: Int64, sent: Int64?, responded: Int64?, stored: Int64, isAccepted: Bool,
        trace: String? = nil
    ) {
        let end = (time: stored, trace: trace)
        Self.record(event, stored, end, &eventToOutcome)
        guard let responded else { return }
        if isAccepted { Self.record(event, responded, end, &eventToAccepted) }
        if let sent { Self.record(sent, responded, end, &roundTrip) }
    }

    @inline(__always)
    private static func record(
        _ start: Int64, _ end: Int64, _ stored: (time: Int64, trace: String?),
        _ histogram: inout Histogram
    ) {
        let value = span(from: start, to: end)
        guard let trace = stored.trace else { return histogram.record(value) }
        histogram.record(Exemplar(value: value, trace: trace, time: stored.time))
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
