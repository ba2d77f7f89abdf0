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
    }

    /// Replaces reasons that are in no table.
    public static let otherReason = "other"

    /// Pushes that APNs accepted, by app and push type.
    private var accepted: [UInt64]
    /// All other pushes.
    public private(set) var others: [Kind: UInt64] = [:]
    /// From the event to APNs' response, in milliseconds, for accepted pushes.
    public private(set) var eventToAccepted = Histogram()
    /// From the event to the stored outcome, in milliseconds.
    public private(set) var eventToOutcome = Histogram()
    /// From the request to APNs' response, in milliseconds.
    public private(set) var roundTrip = Histogram()

    /// Creates empty figures for this many apps.
    public init(apps: Int) {
        accepted = Array(repeating: 0, count: apps * PushType.allCases.count)
    }

    /// The number of pushes of an app and a type that APNs accepted.
    public func accepted(app: Int, _ pushType: PushType) -> UInt64 {
        accepted[Self.place(app, pushType)]
    }

    private static func place(_ app: Int, _ pushType: PushType) -> Int {
        app * PushType.allCases.count + pushType.number
    }

    /// Kafka has the outcome of an accepted push.
    @inline(__always)
    mutating func countAccepted(_ push: borrowing Push) {
        accepted[Self.place(push.app.index, push.pushType)] &+= 1
        guard let end = push.respondedAt else { return }
        eventToAccepted.record(Self.span(from: push.eventTime, to: end))
    }

    /// Kafka has the outcome of another push.
    mutating func count(_ push: borrowing Push, _ verdict: Verdict, reason: String?) {
        var kind = Kind(
            app: push.app.index, pushType: push.pushType, verdict: verdict, reason: reason ?? "")
        if others[kind] == nil, !Self.isKnown(kind.reason) { kind.reason = Self.otherReason }
        others[kind, default: 0] &+= 1
    }

    /// Kafka has the outcome of a push.
    @inline(__always)
    mutating func measure(_ push: borrowing Push, at time: Int64) {
        eventToOutcome.record(Self.span(from: push.eventTime, to: time))
        guard let sent = push.sentAt, let end = push.respondedAt else { return }
        roundTrip.record(Self.span(from: sent, to: end))
    }

    private static func isKnown(_ reason: String) -> Bool {
        reason.isEmpty || DropReason(rawValue: reason) != nil
            || ReasonTable.rows.contains { $0.reason == reason }
    }

    /// A clock may have been set back in between.
    private static func span(from start: Int64, to end: Int64) -> UInt64 {
        let (difference, overflow) = end.subtractingReportingOverflow(start)
        return overflow || difference < 0 ? 0 : UInt64(difference)
    }
}
