internal import APNs
internal import Configuration
internal import Delivery
internal import Encoding
internal import JSON

/// Writes the records of the result topics; ``withRecord(_:)`` passes on the last one.
///
/// The JSON Schemas in `Schemas/` describe their values.
struct ResultWriter: ~Copyable {
    /// The number of headers of our own in each record; the event's headers follow.
    private static let headerCount = 6
    private let settings: EngineSettings
    private let bundleIDs: [[UInt8]]
    private let deviceTokens: ResultsSettings.DeviceTokenPrivacy
    private let cloudEvents: ResultsSettings.CloudEvents
    private var texts = PushTexts()
    private let headers: [ResultRecord.Header]
    private var outcome: OutcomeText
    /// The values of the headers while they are written.
    private var text = ByteBuffer()
    private var times = TimestampWriter()
    /// False while the record has the headers of another kind of record.
    private var hasOwnHeaders = false
    /// The kind of the record; empty before the first.
    private var kind: ResultKinds = []
    /// The record written last; the memory of its key and value is reused.
    private var written: ResultRecord

    init(_ settings: EngineSettings, _ bundleIDs: [[UInt8]]) {
        self.settings = settings
        self.bundleIDs = bundleIDs
        deviceTokens = settings.results.deviceTokens
        cloudEvents = settings.results.cloudEvents
        outcome = OutcomeText(settings, bundleIDs)
        let source = [UInt8]("/connectors/\(settings.connector)".utf8)
        headers = [
            ("content-type", [UInt8]("application/json".utf8)),
            ("ce_specversion", [UInt8]("1.0".utf8)), ("ce_id", []),
            ("ce_type", Self.outcomeType), ("ce_source", source), ("ce_time", []),
        ]
        written = ResultRecord(topic: "", key: nil, value: nil, headers: [])
    }

    /// Passes the record written last to `body`. Mutating, because it would be copied otherwise.
    mutating func withRecord<Result>(_ body: (borrowing ResultRecord) -> Result) -> Result {
        body(written)
    }

    /// Writes an outcome.
    mutating func writeOutcome(
        _ push: Push, _ details: borrowing PushDetails, _ report: Push.Report,
        _ origin: borrowing RecordCopy, partition: Int32?, _ wallClock: Int64
    ) {
        outcome.write(push, details, report, origin)
        if kind != .outcome {
            kind = .outcome
            written.topic = settings.results.outcomes
        }
        let isShort = details.isOutcomeShort
        if isShort { written.key = nil } else { writeKey(push, origin) }
        written.partition = partition
        switch cloudEvents {
        case .none: removeHeaders()
        case .binary: writeHeaders(Self.outcomeType, push.id, decision(push, details, wallClock))
        case .structured:
            removeHeaders()
            written.headers.append(("content-type", Self.structuredType))
        }
        if !isShort { writeTrace(of: origin) }
        if written.value == nil { written.value = [] }
        if cloudEvents == .structured {
            let event = structured(push.id, decision(push, details, wallClock))
            written.value?.replace(with: event)
        } else {
            written.value?.replace(with: outcome.bytes)
        }
    }

    /// When the verdict was reached, in milliseconds since 1970.
    private func decision(
        _ push: Push, _ details: borrowing PushDetails, _ wallClock: Int64
    ) -> Int64 {
        details.decidedAt ?? push.respondedAt ?? wallClock
    }

    private mutating func removeHeaders() {
        guard !written.headers.isEmpty else { return }
        written.headers.removeAll(keepingCapacity: true)
        hasOwnHeaders = false
    }

    /// The outcome as the data of a CloudEvent in structured mode. Source: *Kafka Protocol Binding
    /// for CloudEvents*, version 1.0.2, section 3.3.
    private mutating func structured(_ id: NotificationID, _ moment: Int64) -> ByteBuffer {
        var event = ByteBuffer()
        event.appendASCII(#"{"specversion":"1.0","id":""#)
        event.append(id)
        event.appendASCII(#"","type":""#)
        event.append(Self.outcomeType)
        event.appendASCII(#"","source":"#)
        event.appendJSONString("/connectors/\(settings.connector)")
        event.appendASCII(#","time":""#)
        event.append(time: moment, &times)
        event.appendASCII(#"","datacontenttype":"application/json","data":"#)
        event.append(outcome.bytes.copy())
        event.appendASCII("}")
        return event
    }

    /// Writes an unregistered record: its device token is no longer valid.
    mutating func writeUnregistered(
        _ push: Push, _ details: borrowing PushDetails, _ origin: borrowing RecordCopy,
        _ wallClock: Int64
    ) {
        texts.read(push, origin, bundleIDs)
        kind = .unregistered
        written.topic = settings.results.unregistered
        written.partition = nil
        var key = texts.bundleID
        key.append(UInt8(ascii: "/"))
        key.append(contentsOf: texts.deviceToken)
        written.key = key
        var json = JSONWriter()
        json.beginObject()
        json.member("type", String(decoding: Self.unregisteredType, as: UTF8.self))
        json.member("device_token", utf8: texts.deviceToken)
        json.member("bundle_id", utf8: texts.bundleID)
        json.member("push_type", push.pushType.rawValue)
        json.member("environment", settings[push.app]?.environment)
        json.member("reason", details.reason)
        json.member("timestamp", details.unregisteredAt)
        json.member(
            "unregistered_at", details.unregisteredAt.map { Timestamp.text(milliseconds: $0) })
        json.member(
            "decided_at", Timestamp.text(milliseconds: decision(push, details, wallClock)))
        json.member("apns_id", "\(push.id)")
        json.member("index", Int64(push.index))
        json.member("connector", settings.connector)
        json.name(ascii: "labels")
        let labels = details.isOutcomeShort ? nil : origin.copyLabels(push.content)
        if let labels { json.raw(labels) } else { json.null() }
        json.name(ascii: "source")
        json.beginObject()
        json.member("topic", origin.origin.topicPartition.topic)
        json.member("partition", Int64(origin.origin.topicPartition.partition))
        json.member("offset", origin.origin.offset)
        json.endObject()
        json.endObject()
        written.value = json.bytes
        writeHeaders(Self.unregisteredType, push.id, push.respondedAt ?? wallClock)
        if !details.isOutcomeShort { writeTrace(of: origin) }
        if let seal = settings.results.seal {
            written.headers.append(
                seal.seal(
                    .unregistered, key: written.key, value: written.value,
                    headers: written.headers))
        }
    }

    /// The source's key, the channel ID, or the device token as `results.device_token` allows it:
    /// instead of a key that contains the token, too.
    private mutating func writeKey(_ push: Push, _ origin: borrowing RecordCopy) {
        if written.key == nil { written.key = [] }
        let isKeyShown = deviceTokens == .full || !origin.keyContainsToken(of: push)
        if origin.hasKey, isKeyShown {
            return origin.withKey { written.key?.replace(with: $0) }
        }
        origin.withDestination(push.content) { written.key?.replace(with: $0) }
        guard deviceTokens != .full && !push.isBroadcast || push.content.destinationCount == 0
        else { return }
        written.key = deviceTokens.reportable(written.key ?? [], settings.results.seal)
    }

    /// CloudEvents 1.0 in Kafka's binary mode. Source: *Kafka Protocol Binding for CloudEvents*,
    /// version 1.0.2, section 3.2.
    private mutating func writeHeaders(
        _ type: [UInt8], _ id: NotificationID, _ moment: Int64
    ) {
        if !hasOwnHeaders { written.headers = headers }
        let extra = written.headers.count - Self.headerCount
        if extra > 0 { written.headers.removeLast(extra) }
        text.removeAll()
        text.append(id)
        written.headers[2].value?.replace(with: text)
        written.headers[3].value = type
        text.removeAll()
        text.append(time: moment, &times)
        written.headers[5].value?.replace(with: text)
        hasOwnHeaders = true
    }

    static let outcomeType = [UInt8]("apns-bridge.outcome.v1".utf8)
    private static let structuredType = [UInt8](
        "application/cloudevents+json; charset=UTF-8".utf8)
    private static let unregisteredType = [UInt8]("apns-bridge.unregistered.v1".utf8)

    /// The trace of the record and that of its event, each under its original name. Source:
    /// *Distributed Tracing*, an extension of CloudEvents, and W3C *Trace Context*.
    static let traceHeaders: [StaticString] = [
        "traceparent", "tracestate", "ce_traceparent", "ce_tracestate",
    ]

    /// True for the part of a trace that may contain anything, a device token as well.
    static func isState(_ name: StaticString) -> Bool { name.description.hasSuffix("tracestate") }

    private mutating func writeTrace(of origin: borrowing RecordCopy) {
        guard origin.hasHeaders else { return }
        for name in Self.traceHeaders where deviceTokens == .full || !Self.isState(name) {
            guard let trace = origin.withRecord({ $0.copyHeader(name) }) else { continue }
            written.headers.append((name.description, trace))
        }
    }

    /// Writes a dead letter: the original record, and why it could not be delivered. `isAlone` is
    /// true for the only push of its record, and `carrier` the index of the push whose dead letter
    /// has the value, if that is another one.
    mutating func writeDeadLetter(
        _ push: Push, _ details: PushDetails, _ report: Push.Report,
        _ origin: borrowing RecordCopy, isAlone: Bool, carrier: Int32?
    ) {
        kind = .deadLetter
        // A record with several device tokens may contain the others anywhere.
        let traces = isAlone ? origin.tokenTraces(of: push) : nil
        let privacy =
            deviceTokens == .full ? DeadLetter.Privacy.none : .withoutTokens(of: traces)
        let labels = origin.copyLabels(push.content)
        written = origin.withRecord {
            DeadLetter.record(
                push, details, report, $0, settings, privacy, labels, carrier: carrier)
        }
        hasOwnHeaders = false
    }

    /// Writes a retry record: the original record, and which of its pushes to send when.
    mutating func writeRetry(
        _ push: Push, _ details: PushDetails, _ origin: borrowing RecordCopy, due: Int64,
        until: Int64, now: Int64
    ) {
        let topic = settings.results.retry ?? ""
        kind = .retry
        written = origin.withRecord {
            RetryRecord.record(
                push, details, $0, due: due, until: until, now: now, topic: topic,
                seal: settings.results.seal)
        }
        hasOwnHeaders = false
    }
}

extension JSONWriter {
    mutating func member(_ name: StaticString, _ text: String?) {
        self.name(ascii: name)
        if let text { string(text) } else { null() }
    }

    mutating func member(_ name: StaticString, _ number: Int64?) {
        self.name(ascii: name)
        if let number { integer(number) } else { null() }
    }

    /// Writes null when there are no bytes.
    mutating func member(_ name: StaticString, utf8: [UInt8]) {
        self.name(ascii: name)
        if utf8.isEmpty { null() } else { string(utf8: utf8) }
    }
}
