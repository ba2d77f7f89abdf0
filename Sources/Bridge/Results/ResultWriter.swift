internal import Configuration
internal import Delivery
internal import Encoding
internal import JSON

/// Writes the records of the result topics; what it wrote last stands in ``record``.
///
/// Their values are described by the JSON Schemas in `Schemas/`.
struct ResultWriter: ~Copyable {
    /// How many headers each record of ours has; what comes after them is the event's own.
    private static let headerCount = 6
    private let settings: WorkerSettings
    private let headers: [ResultRecord.Header]
    private var outcome: OutcomeText
    /// Texts of the headers while they are written.
    private var text = ByteBuffer()
    private var times = TimestampWriter()
    /// The key of ``record``, whose memory is used again.
    private var key: [UInt8] = []
    /// False while ``record`` has the headers of another kind of record.
    private var hasOwnHeaders = false
    private(set) var record: ResultRecord

    init(_ settings: WorkerSettings) {
        self.settings = settings
        outcome = OutcomeText(settings)
        let source = [UInt8]("/connectors/\(settings.connector)".utf8)
        headers = [
            ("content-type", [UInt8]("application/json".utf8)),
            ("ce_specversion", [UInt8]("1.0".utf8)), ("ce_id", []),
            ("ce_type", Self.outcomeType), ("ce_source", source), ("ce_time", []),
        ]
        record = ResultRecord(topic: "", key: nil, value: nil, headers: [])
    }

    /// An outcome. `open` has its verdict; it stays as it is, and is not copied for each push.
    mutating func writeOutcome(
        _ open: inout OpenNotification, _ origin: borrowing Record, _ wallClock: Int64
    ) {
        guard let verdict = open.outcome else { return }
        outcome.write(open, verdict, origin)
        record.topic = settings.results.outcomes
        writeKey(open, origin)
        if record.value == nil { record.value = [] }
        record.value?.replace(with: outcome.bytes)
        writeHeaders(Self.outcomeType, verdict.id, verdict.answeredAt ?? wallClock)
        if !open.isOutcomeShort { writeTrace(of: origin) }
    }

    /// The end of a device token.
    mutating func writeUnregistered(
        _ open: borrowing OpenNotification, _ origin: borrowing Record, _ wallClock: Int64
    ) {
        record.topic = settings.results.unregistered
        var key = open.notification.bundleID
        key.append(UInt8(ascii: "/"))
        key.append(contentsOf: open.notification.deviceToken)
        record.key = key
        var json = JSONWriter()
        json.beginObject()
        json.member("device_token", utf8: open.notification.deviceToken)
        json.member("bundle_id", utf8: open.notification.bundleID)
        json.member("environment", settings.environment(of: open.notification))
        json.member("reason", open.outcome?.reason)
        json.member("timestamp", open.unregisteredAt)
        json.endObject()
        record.value = json.bytes
        writeHeaders(Self.unregisteredType, open.id, open.answeredAt ?? wallClock)
        if !open.isOutcomeShort { writeTrace(of: origin) }
    }

    /// The source's key, else the device token, as the outcomes may tell it.
    private mutating func writeKey(
        _ open: borrowing OpenNotification, _ origin: borrowing Record
    ) {
        record.key = nil
        guard !open.isOutcomeShort else { return }
        if origin.hasKey {
            origin.withKey { key.replace(with: $0) }
        } else if let token = settings.results.told(open.notification.deviceToken) {
            key.replace(with: token)
        } else {
            return
        }
        record.key = key
    }

    /// CloudEvents 1.0 in Kafka's binary mode.
    /// Source: *Kafka Protocol Binding for CloudEvents*, version 1.0.2, part 3.2.
    private mutating func writeHeaders(
        _ type: [UInt8], _ id: NotificationID, _ moment: Int64
    ) {
        if !hasOwnHeaders { record.headers = headers }
        let extra = record.headers.count - Self.headerCount
        if extra > 0 { record.headers.removeLast(extra) }
        text.removeAll()
        text.append(id)
        record.headers[2].value?.replace(with: text)
        record.headers[3].value = type
        text.removeAll()
        text.append(time: moment, &times)
        record.headers[5].value?.replace(with: text)
        hasOwnHeaders = true
    }

    private static let outcomeType = [UInt8]("apns-bridge.outcome.v1".utf8)
    private static let unregisteredType = [UInt8]("apns-bridge.unregistered.v1".utf8)

    /// The trace of the record, and the one of its event; each by the name that it came with.
    /// Source: *Distributed Tracing*, an extension of CloudEvents, and W3C *Trace Context*.
    private static let traceHeaders: [StaticString] = [
        "traceparent", "tracestate", "ce_traceparent", "ce_tracestate",
    ]

    private mutating func writeTrace(of origin: borrowing Record) {
        for name in Self.traceHeaders {
            guard let trace = origin.copyHeader(name) else { continue }
            record.headers.append((name.description, trace))
        }
    }

    /// The record as it came, and why it could not be delivered.
    mutating func writeDeadLetter(_ open: borrowing OpenNotification, _ origin: borrowing Record) {
        record = DeadLetter.record(open, origin, settings)
        hasOwnHeaders = false
    }

    /// The record as it came, and what is to be sent of it when.
    mutating func writeRetry(
        _ open: borrowing OpenNotification, _ origin: borrowing Record, due: Int64,
        until: Int64
    ) {
        record = RetryRecord.record(
            open, origin, due: due, until: until, topic: settings.results.retry ?? "")
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

    /// Writes null for no bytes.
    mutating func member(_ name: StaticString, utf8: [UInt8]) {
        self.name(ascii: name)
        if utf8.isEmpty { null() } else { string(utf8: utf8) }
    }
}
