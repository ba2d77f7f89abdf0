internal import APNs
internal import Configuration
internal import Delivery
internal import Tracing

/// Makes the spans of a push whose outcome Kafka has stored, or that Kafka has in the retry topic.
///
/// `receive` is the whole life of the push in this worker; the others are parts of it. Attributes
/// have the names of OpenTelemetry's conventions for messaging and HTTP where they have one. None
/// of them contains a device token, a key or anything of the payload.
struct SpanMaker {
    let push: Push
    let details: PushDetails
    let trace: PushTrace
    let report: Push.Report
    let settings: EngineSettings
    /// The channel of a broadcast.
    let channelID: String?
    /// Milliseconds since 1970.
    let now: Int64

    /// The number of spans, apart from the first one, whose ID is known.
    var count: Int { trace.attempts.count + 2 }

    /// The spans, the first of which contains the others; `ids` are theirs.
    func spans(_ ids: [SpanID]) -> [Span] {
        var ids = ids[...]
        var spans = [receive]
        if let id = ids.popFirst() { spans.append(map(id)) }
        for (index, attempt) in trace.attempts.enumerated() {
            if let id = ids.popFirst() { spans.append(send(id, index, attempt)) }
        }
        if let id = ids.popFirst() { spans.append(store(id)) }
        return spans
    }

    private func span(
        _ id: SpanID, _ name: String, _ kind: Span.Kind, _ start: Int64, _ end: Int64
    ) -> Span {
        // A clock that was set back must not move a part out of the whole.
        let start = min(max(start, trace.takenAt), max(now, trace.takenAt))
        var span = Span(
            trace: trace.trace, id: id, parent: id == trace.root ? trace.parent : trace.root,
            name: name, kind: kind, start: start, end: min(max(end, start), max(now, start)))
        span.state = trace.state
        return span
    }

    private var receive: Span {
        let source = trace.source
        var span = span(trace.root, "receive \(source.topic)", .consumer, trace.takenAt, now)
        addMessaging(to: &span, "receive", "process", source.topic)
        span.add("messaging.destination.partition.id", String(source.partition))
        span.add("messaging.consumer.group.name", settings.group)
        span.add("messaging.kafka.offset", trace.offset)
        span.add("apns_bridge.connector", settings.connector)
        span.add("apns_bridge.index", Int64(push.index))
        span.add("apns_bridge.attempts", Int64(push.attempts))
        span.add("apns.id", push.id.description)
        addVerdict(to: &span)
        return span
    }

    /// Times are those of turns, and a record is mapped in the turn that takes it.
    private func map(_ id: SpanID) -> Span {
        var span = span(id, "map", .internal, trace.takenAt, trace.takenAt)
        span.add("apns.push_type", push.pushType.rawValue)
        span.add("apns.app", settings[push.app]?.name)
        if let drop = details.drop { fail(&span, drop.reason.rawValue, drop.detail) }
        return span
    }

    private func send(_ id: SpanID, _ index: Int, _ attempt: PushTrace.Attempt) -> Span {
        var span = span(id, "send apns", .client, attempt.sentAt, attempt.endedAt ?? now)
        span.add("http.request.method", "POST")
        span.add("http.response.status_code", attempt.status.map { Int64($0) })
        span.add("http.request.resend_count", index == 0 ? nil : Int64(index))
        span.add("apns.id", push.id.description)
        span.add("apns.bundle_id", settings[push.app]?.bundleID)
        span.add("apns.channel_id", channelID)
        span.add("apns.environment", settings[push.app]?.environment)
        span.add("apns.connection", attempt.stream.map { Int64(clamping: $0.connection) })
        span.add("apns.stream", attempt.stream.map { Int64($0.stream) })
        if let error = attempt.error { fail(&span, error, attempt.detail) }
        return span
    }

    /// The result record: the outcome, or the record in the retry topic.
    private func store(_ id: SpanID) -> Span {
        let isRetry = report.verdict == nil
        let topic = isRetry ? settings.results.retry ?? "" : settings.results.outcomes
        let operation = isRetry ? "retry" : "outcome"
        let last = trace.attempts.last?.endedAt ?? trace.takenAt
        let start = isRetry ? last : details.decidedAt ?? push.respondedAt ?? last
        var span = span(id, "\(operation) \(topic)", .producer, start, now)
        addMessaging(to: &span, operation, "send", topic)
        addVerdict(to: &span, failing: false)
        return span
    }

    private func addMessaging(
        to span: inout Span, _ operation: String, _ type: String, _ topic: String
    ) {
        span.add("messaging.system", "kafka")
        span.add("messaging.operation.name", operation)
        span.add("messaging.operation.type", type)
        span.add("messaging.destination.name", topic)
    }

    /// The verdict, and unless it is `accepted`, its reason as the kind of failure. A push that
    /// the connector filtered out has not failed.
    private func addVerdict(to span: inout Span, failing: Bool = true) {
        guard let verdict = report.verdict else { return span.add("apns_bridge.verdict", "retry") }
        span.add("apns_bridge.verdict", verdict.rawValue)
        guard failing, verdict != .accepted, details.drop?.reason != .filtered else { return }
        if verdict == .unknown { return fail(&span, Self.inDoubt, details.reason) }
        let status = report.status > 0 ? String(report.status) : verdict.rawValue
        fail(&span, details.reason ?? status, details.drop?.detail ?? details.unsendable)
    }

    /// The kind of failure of a request that got no response.
    static let inDoubt = "in_doubt"
    /// The kind of failure of a request that the peer did not process.
    static let notSent = "not_sent"

    private func fail(_ span: inout Span, _ type: String, _ detail: String?) {
        span.add("error.type", type)
        span.failure = detail ?? ""
    }
}
