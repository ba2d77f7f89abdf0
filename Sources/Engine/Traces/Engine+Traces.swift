package import APNs
internal import Delivery
internal import JSON
package import Tracing

/// What a traced push notes about itself. Where nothing is traced, each of these costs one check.
extension Engine {
    /// Decides whether a push that was just opened is traced.
    ///
    /// Without a `traceparent`, its trace has the bytes of its `apns-id`: it is the same one after
    /// a restart and through the retry topic, and whoever knows the one can search for the other.
    mutating func startTrace(_ id: PushID, _ record: borrowing Record) {
        let parent = Self.context(of: record)
        let own = TraceID(high: pushes[id].id.high, low: pushes[id].id.low)
        guard let own, let sampler = tracer?.sampler, sampler.samples(parent: parent, own: own),
            let root = tracer?.nextID()
        else { return }
        let state = parent == nil ? nil : record.copyHeader("tracestate")
        let trace = PushTrace(
            trace: parent?.trace ?? own, parent: parent?.span,
            state: String(decoding: state?.prefix(Self.maxState) ?? [], as: UTF8.self),
            root: root, source: record.topicPartition, offset: record.offset, takenAt: wallClock)
        pushes.change(id) { $0.trace = trace }
    }

    /// The longest `tracestate` that must be passed on, in bytes. Source: W3C *Trace Context*.
    private static var maxState: Int { 512 }

    /// The context in the last valid `traceparent` of a record, read in place.
    private static func context(of record: borrowing Record) -> TraceContext? {
        var found: TraceContext?
        record.forEachHeader { name, value, _ in
            if name.equals(Self.parentHeader) { found = TraceContext(traceparent: value) ?? found }
        }
        return found
    }

    private static let parentHeader = Array("traceparent".utf8)

    private mutating func isTraced(_ id: PushID) -> Bool {
        pushes.hasDetails(id) && pushes[details: id].trace != nil
    }

    /// The ID of the trace of a push, in hexadecimal digits; nil if it is not traced.
    mutating func traceText(_ id: PushID) -> String? {
        isTraced(id) ? pushes[details: id].trace?.trace.text : nil
    }

    /// A connection has taken a push.
    mutating func traceSent(_ id: PushID) {
        guard isTraced(id) else { return }
        let time = wallClock
        pushes.change(id) { $0.trace?.sent(at: time) }
    }

    /// The app of a push that is traced; nil for any other.
    package mutating func tracedApp(of id: PushID) -> Int? {
        pushes.isCurrent(id) && isTraced(id) ? pushes[id].app.index : nil
    }

    /// The connection and the stream of the attempt that was just sent.
    package mutating func traceRequest(_ id: PushID, _ stream: StreamID?) {
        changeAttempt(id) { $0.stream = stream }
    }

    /// An attempt has finished.
    mutating func traceEnd(
        _ id: PushID, status: Int? = nil, error: String? = nil, detail: String? = nil
    ) {
        guard isTraced(id) else { return }
        let time = wallClock
        changeAttempt(id) { attempt in
            attempt.endedAt = time
            attempt.status = status
            attempt.error = error
            attempt.detail = detail
        }
    }

    /// APNs has responded to an attempt.
    mutating func traceEnd(_ id: PushID, _ response: APNsResponse) {
        let reason = response.reason.isEmpty ? String(response.status) : response.reason
        traceEnd(id, status: response.status, error: response.status == 200 ? nil : reason)
    }

    /// No connection can send the push: the attempt was none.
    mutating func traceNothingSent(_ id: PushID) {
        guard isTraced(id) else { return }
        pushes.change(id) { _ = $0.trace?.attempts.popLast() }
    }

    private mutating func changeAttempt(
        _ id: PushID, _ body: (inout PushTrace.Attempt) -> Void
    ) {
        pushes.change(id) { details in
            guard var trace = details.trace, var last = trace.attempts.popLast() else { return }
            body(&last)
            trace.attempts.append(last)
            details.trace = trace
        }
    }

    /// Kafka has stored the outcome of a push, or has it in the retry topic: its spans are
    /// complete. A push that is read again, there or by another worker, begins anew.
    mutating func finishTrace(_ id: PushID, _ report: Push.Report) {
        guard isTraced(id), let trace = pushes[details: id].trace else { return }
        let maker = SpanMaker(
            push: pushes[id], details: pushes[details: id], trace: trace, report: report,
            settings: settings, channelID: channelID(of: id), now: wallClock)
        if let ids = tracer?.nextIDs(maker.count) { tracer?.add(maker.spans(ids)) }
        pushes.change(id) { $0.trace = nil }
    }

    /// Takes the finished spans, and the number of those that did not fit.
    package mutating func takeSpans() -> (spans: [Span], dropped: Int) {
        guard let found = tracer, !found.finished.isEmpty || found.dropped > 0 else {
            return ([], 0)
        }
        tracer?.finished = []
        tracer?.dropped = 0
        return (found.finished, found.dropped)
    }
}
