internal import Configuration
internal import Delivery
internal import Encoding
internal import JSON
internal import TLS

/// Writes the value of an outcome as described by `Schemas/outcome.v1.json`.
///
/// Every push has one, so it is written field by field into a buffer that is reused.
struct OutcomeText: ~Copyable {
    /// The longest device token in an outcome that was too large with everything.
    private static let shortToken = 256

    private(set) var bytes = ByteBuffer()
    private var times = TimestampWriter()
    private let settings: EngineSettings
    /// The start of `source`, and the partition that it names.
    private var source: [UInt8] = []
    private var place: TopicPartition?

    init(_ settings: EngineSettings) { self.settings = settings }

    mutating func write(
        _ push: Push, _ details: borrowing PushDetails, _ report: Push.Report,
        _ texts: borrowing PushTexts, _ origin: RecordOrigin
    ) {
        bytes.removeAll()
        writeVerdict(report, details)
        writePush(push, details, texts)
        writeTimes(push)
        writeSource(origin.topicPartition, origin.offset)
    }

    private mutating func writeVerdict(
        _ report: Push.Report, _ details: borrowing PushDetails
    ) {
        let isDecidedByResponse = report.status != 0
        bytes.appendASCII(#"{"type":"apns-bridge.outcome.v1","verdict":"#)
        bytes.appendJSONString(report.verdict?.rawValue)
        bytes.appendASCII(#","reason":"#)
        bytes.appendJSONString(details.reason)
        bytes.appendASCII(report.isSuspect ? #","suspect":true"# : #","suspect":false"#)
        bytes.appendASCII(#","last_status":"#)
        write(isDecidedByResponse ? nil : details.lastStatus)
        bytes.appendASCII(#","last_reason":"#)
        bytes.appendJSONString(isDecidedByResponse ? nil : details.lastReason)
        bytes.appendASCII(#","status":"#)
        write(isDecidedByResponse ? Int(report.status) : nil)
    }

    private mutating func writePush(
        _ push: Push, _ details: borrowing PushDetails, _ texts: borrowing PushTexts
    ) {
        bytes.appendASCII(#","apns_id":""#)
        bytes.append(push.id)
        bytes.appendASCII(#"","apns_unique_id":"#)
        bytes.appendJSONString(utf8: details.uniqueID)
        bytes.appendASCII(#","device_token":"#)
        let isShown = !details.isOutcomeShort || texts.deviceToken.count <= Self.shortToken
        bytes.appendJSONString(
            utf8: isShown ? settings.results.reportable(texts.deviceToken) ?? [] : [])
        bytes.appendASCII(#","bundle_id":"#)
        bytes.appendJSONString(utf8: texts.bundleID)
        bytes.appendASCII(#","push_type":"#)
        bytes.appendJSONString(texts.deviceToken.isEmpty ? nil : push.pushType.rawValue)
        bytes.appendASCII(#","environment":"#)
        bytes.appendJSONString(settings[push.app]?.environment)
        bytes.appendASCII(#","collapse_id":"#)
        bytes.appendJSONString(utf8: texts.collapseID)
        bytes.appendASCII(#","connector":"#)
        bytes.appendJSONString(settings.connector)
        bytes.appendASCII(#","attempts":"#)
        bytes.appendDecimal(Int64(push.attempts))
    }

    private mutating func writeTimes(_ push: Push) {
        bytes.appendASCII(#","event_time":"#)
        write(time: push.eventTime)
        bytes.appendASCII(#","sent_at":"#)
        write(time: push.sentAt)
        bytes.appendASCII(#","answered_at":"#)
        write(time: push.respondedAt)
    }

    private mutating func writeSource(_ place: TopicPartition, _ offset: Int64) {
        if self.place != place {
            self.place = place
            let start = bytes.count
            bytes.appendASCII(#","source":{"topic":"#)
            bytes.appendJSONString(place.topic)
            bytes.appendASCII(#","partition":"#)
            bytes.appendDecimal(Int64(place.partition))
            bytes.appendASCII(#","offset":"#)
            source.replace(with: bytes, from: start)
        } else {
            bytes.append(source)
        }
        bytes.appendDecimal(offset)
        bytes.appendASCII("}}")
    }

    private mutating func write(_ number: Int?) {
        if let number { bytes.appendDecimal(Int64(number)) } else { bytes.appendASCII("null") }
    }

    private mutating func write(time: Int64?) {
        guard let time else { return bytes.appendASCII("null") }
        bytes.append(UInt8(ascii: "\""))
        bytes.append(time: time, &times)
        bytes.append(UInt8(ascii: "\""))
    }
}

extension ResultsSettings {
    /// A device token as `results.device_token` allows it; nil when it is empty or omitted.
    func reportable(_ token: [UInt8]) -> [UInt8]? {
        if token.isEmpty { return nil }
        return switch deviceTokens {
        case .full: token
        case .hashed: Hexadecimal.encode(SHA256.hash(token))
        case .omitted: nil
        }
    }
}

extension ByteBuffer {
    /// Appends the canonical form of an identifier.
    mutating func append(_ id: NotificationID) {
        let words = id.characters
        append(word: words.0)
        append(word: words.1)
        append(word: words.2)
        append(word: words.3)
        for shift in stride(from: UInt64(0), to: 32, by: 8) {
            append(UInt8(truncatingIfNeeded: words.4 >> shift))
        }
    }

    /// Appends a time in milliseconds since 1970 as RFC 3339.
    mutating func append(time: Int64, _ times: inout TimestampWriter) {
        guard let words = times.characters(milliseconds: time) else {
            return append([UInt8](Timestamp.text(milliseconds: time).utf8))
        }
        append(word: words.0)
        append(word: words.1)
        append(word: words.2)
    }
}
