internal import APNs
internal import Delivery
internal import Encoding
internal import Tracing

/// What is remembered about a traced push until its spans are complete.
struct PushTrace: Sendable {
    /// An attempt to send it.
    struct Attempt: Sendable {
        /// When a connection took it, in milliseconds since 1970.
        var sentAt: Int64
        /// When its request finished; nil before that.
        var endedAt: Int64?
        var stream: StreamID?
        /// The status of the response; nil without one.
        var status: Int?
        /// What kind of failure it was; nil for none.
        var error: String?
        /// Details of the failure; nil if there are none beyond `error`.
        var detail: String?
    }

    /// The most attempts that are remembered; later ones replace the last.
    static let attemptLimit = 32

    /// The trace of its event, or one of its own.
    var trace: TraceID
    /// The span that produced its event; nil when that is not known.
    var parent: SpanID?
    /// The `tracestate` of its event.
    var state: String
    /// The span of which the others are parts.
    var root: SpanID
    /// Where its record was read.
    var source: TopicPartition
    var offset: Int64
    /// When its record was taken, in milliseconds since 1970.
    var takenAt: Int64
    var attempts: [Attempt] = []

    mutating func sent(at time: Int64) {
        if attempts.count == Self.attemptLimit { attempts.removeLast() }
        attempts.append(Attempt(sentAt: time))
    }
}

/// Makes spans, and keeps finished ones until the worker takes them.
struct Tracer: Sendable {
    let sampler: TraceSampler
    var ids: SeededGenerator
    var finished: [Span] = []
    /// The number of spans that did not fit.
    var dropped = 0

    /// The most finished spans kept for one turn.
    static let limit = 4096

    mutating func nextID() -> SpanID { SpanID(from: &ids) }

    mutating func nextIDs(_ count: Int) -> [SpanID] { (0..<count).map { _ in nextID() } }

    mutating func add(_ spans: [Span]) {
        guard finished.count + spans.count <= Self.limit else {
            dropped += spans.count
            return
        }
        finished += spans
    }
}
