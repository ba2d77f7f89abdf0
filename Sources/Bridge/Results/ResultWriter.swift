internal import Configuration
internal import Delivery
internal import JSON
internal import TLS

/// Writes the records of the result topics; what it wrote last stands in ``record``.
///
/// Their values are described by the JSON Schemas in `Schemas/`.
struct ResultWriter {
    /// The longest device token that an outcome shows when it was too large with everything.
    private static let shortToken = 256
    fileprivate let settings: WorkerSettings
    private let source: [UInt8]
    /// Texts while they are written, and those that stand in the headers.
    private var time: [UInt8] = []
    private var idText: [UInt8] = []
    private var momentText: [UInt8] = []
    private var times = TimestampWriter()
    fileprivate(set) var record: ResultRecord

    init(_ settings: WorkerSettings) {
        self.settings = settings
        source = [UInt8]("/connectors/\(settings.connector)".utf8)
        record = ResultRecord(topic: "", key: nil, value: nil, headers: [])
    }

    /// An outcome. `open` has its verdict.
    mutating func writeOutcome(
        _ open: borrowing OpenNotification, _ origin: borrowing Record, _ wallClock: Int64
    ) {
        guard let outcome = open.outcome else { return }
        letGo()
        record.topic = settings.results.outcomes
        record.key = open.isOutcomeShort ? nil : key(open, origin)
        var json = JSONWriter(reusing: takeValue())
        json.beginObject()
        write(outcome, to: &json)
        write(open, outcome, to: &json)
        write(origin.topicPartition, origin.offset, to: &json)
        json.endObject()
        record.value = json.bytes
        writeHeaders(Self.outcomeType, outcome.id, outcome.answeredAt ?? wallClock)
        if !open.isOutcomeShort { writeTrace(of: origin) }
    }

    /// The end of a device token.
    mutating func writeUnregistered(
        _ open: borrowing OpenNotification, _ origin: borrowing Record, _ wallClock: Int64
    ) {
        letGo()
        record.topic = settings.results.unregistered
        var key = open.notification.bundleID
        key.append(UInt8(ascii: "/"))
        key.append(contentsOf: open.notification.deviceToken)
        record.key = key
        var json = JSONWriter(reusing: takeValue())
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

    /// Lets go of the texts of the record before, so that their buffers can be used again.
    private mutating func letGo() {
        record.key = nil
        record.headers.removeAll(keepingCapacity: true)
    }

    private mutating func takeValue() -> [UInt8] {
        var value: [UInt8]?
        swap(&value, &record.value)
        return value ?? []
    }

    /// The source's key, else the device token, as the outcomes may tell it.
    private func key(
        _ open: borrowing OpenNotification, _ origin: borrowing Record
    ) -> [UInt8]? {
        if let key = origin.copyKey() { return key }
        return told(open.notification.deviceToken)
    }

    /// A device token as the outcomes may tell it; nil when there is none or it is not told.
    private func told(_ token: [UInt8]) -> [UInt8]? {
        if token.isEmpty { return nil }
        return switch settings.results.deviceTokens {
        case .full: token
        case .hashed: SHA256.hash(token).hexadecimal
        case .omitted: nil
        }
    }

    private func write(_ outcome: borrowing Outcome, to json: inout JSONWriter) {
        json.member("verdict", outcome.verdict.rawValue)
        json.member("reason", outcome.reason)
        json.name(ascii: "suspect")
        json.boolean(outcome.isSuspect)
        json.member("last_status", outcome.lastStatus.map(Int64.init))
        json.member("last_reason", outcome.lastReason)
        json.member("status", outcome.status.map(Int64.init))
    }

    private mutating func write(
        _ open: borrowing OpenNotification, _ outcome: borrowing Outcome,
        to json: inout JSONWriter
    ) {
        time.removeAll(keepingCapacity: true)
        outcome.id.write(to: &time)
        json.member("apns_id", utf8: time)
        json.member("apns_unique_id", utf8: outcome.uniqueID)
        let isTold = !open.isOutcomeShort || open.notification.deviceToken.count <= Self.shortToken
        json.member(
            "device_token", utf8: isTold ? told(open.notification.deviceToken) ?? [] : [])
        json.member("bundle_id", utf8: open.notification.bundleID)
        let isKnown = !open.notification.deviceToken.isEmpty
        json.member("push_type", isKnown ? open.notification.pushType.rawValue : nil)
        json.member("environment", settings.environment(of: open.notification))
        json.member("collapse_id", utf8: open.notification.collapseID)
        json.member("connector", settings.connector)
        json.member("attempts", Int64(outcome.attempts))
        writeTime("event_time", open.notification.eventTime, to: &json)
        writeTime("sent_at", outcome.sentAt, to: &json)
        writeTime("answered_at", outcome.answeredAt, to: &json)
    }

    private func write(
        _ place: TopicPartition, _ offset: Int64, to json: inout JSONWriter
    ) {
        json.name(ascii: "source")
        json.beginObject()
        json.member("topic", place.topic)
        json.member("partition", Int64(place.partition))
        json.member("offset", offset)
        json.endObject()
    }

    private mutating func writeTime(
        _ name: StaticString, _ milliseconds: Int64?, to json: inout JSONWriter
    ) {
        time.removeAll(keepingCapacity: true)
        if let milliseconds { times.append(milliseconds: milliseconds, to: &time) }
        json.member(name, utf8: time)
    }

    /// CloudEvents 1.0 in Kafka's binary mode.
    /// Source: *Kafka Protocol Binding for CloudEvents*, version 1.0.2, part 3.2.
    private mutating func writeHeaders(
        _ type: [UInt8], _ id: NotificationID, _ moment: Int64
    ) {
        record.headers.append(("content-type", Self.contentType))
        record.headers.append(("ce_specversion", Self.specificationVersion))
        idText.removeAll(keepingCapacity: true)
        id.write(to: &idText)
        record.headers.append(("ce_id", idText))
        record.headers.append(("ce_type", type))
        record.headers.append(("ce_source", source))
        momentText.removeAll(keepingCapacity: true)
        times.append(milliseconds: moment, to: &momentText)
        record.headers.append(("ce_time", momentText))
    }

    private static let contentType = [UInt8]("application/json".utf8)
    private static let specificationVersion = [UInt8]("1.0".utf8)
    private static let outcomeType = [UInt8]("apns-bridge.outcome.v1".utf8)
    private static let unregisteredType = [UInt8]("apns-bridge.unregistered.v1".utf8)

    private mutating func writeTrace(of origin: borrowing Record) {
        if let trace = origin.copyHeader("traceparent") {
            record.headers.append(("traceparent", trace))
        }
    }

    /// The record as it came, and why it could not be delivered.
    mutating func writeDeadLetter(_ open: borrowing OpenNotification, _ origin: borrowing Record) {
        record = DeadLetter.record(open, origin, settings)
    }
}

extension ResultWriter {
    /// The record as it came, and what is to be sent of it when.
    mutating func writeRetry(
        _ open: borrowing OpenNotification, _ origin: borrowing Record, due: Int64,
        until: Int64
    ) {
        record = RetryRecord.record(
            open, origin, due: due, until: until, topic: settings.results.retry ?? "")
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

extension [UInt8] {
    /// The bytes as lower-case hexadecimal digits.
    var hexadecimal: [UInt8] {
        let digits = [UInt8]("0123456789abcdef".utf8)
        return flatMap { [digits[Int($0 >> 4)], digits[Int($0 & 15)]] }
    }
}
