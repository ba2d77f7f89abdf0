internal import Configuration
internal import Delivery
internal import Encoding
internal import JSON
internal import TLS

/// Writes the value of an outcome, which `Schemas/outcome.v1.json` describes.
///
/// Each push that ever ends has one: it is put together from its members as they stand, in a buffer
/// that is used again.
struct OutcomeText: ~Copyable {
    /// The longest device token that an outcome shows when it was too large with everything.
    private static let shortToken = 256

    private(set) var bytes = ByteBuffer()
    private var times = TimestampWriter()
    private let settings: WorkerSettings
    /// What `source` begins with, and the partition that it names.
    private var source: [UInt8] = []
    private var place: TopicPartition?

    init(_ settings: WorkerSettings) { self.settings = settings }

    mutating func write(
        _ open: borrowing OpenNotification, _ outcome: borrowing Outcome,
        _ origin: borrowing Record
    ) {
        bytes.removeAll()
        writeVerdict(outcome)
        writePush(open, outcome)
        writeTimes(open, outcome)
        writeSource(origin.topicPartition, origin.offset)
    }

    private mutating func writeVerdict(_ outcome: borrowing Outcome) {
        bytes.appendASCII(#"{"verdict":"#)
        bytes.appendJSONString(outcome.verdict.rawValue)
        bytes.appendASCII(#","reason":"#)
        bytes.appendJSONString(outcome.reason)
        bytes.appendASCII(outcome.isSuspect ? #","suspect":true"# : #","suspect":false"#)
        bytes.appendASCII(#","last_status":"#)
        write(outcome.lastStatus)
        bytes.appendASCII(#","last_reason":"#)
        bytes.appendJSONString(outcome.lastReason)
        bytes.appendASCII(#","status":"#)
        write(outcome.status)
    }

    private mutating func writePush(
        _ open: borrowing OpenNotification, _ outcome: borrowing Outcome
    ) {
        bytes.appendASCII(#","apns_id":""#)
        bytes.append(outcome.id)
        bytes.appendASCII(#"","apns_unique_id":"#)
        bytes.appendJSONString(utf8: outcome.uniqueID)
        bytes.appendASCII(#","device_token":"#)
        let token = open.notification.deviceToken
        let isTold = !open.isOutcomeShort || token.count <= Self.shortToken
        bytes.appendJSONString(utf8: isTold ? settings.results.told(token) ?? [] : [])
        bytes.appendASCII(#","bundle_id":"#)
        bytes.appendJSONString(utf8: open.notification.bundleID)
        bytes.appendASCII(#","push_type":"#)
        bytes.appendJSONString(token.isEmpty ? nil : open.notification.pushType.rawValue)
        bytes.appendASCII(#","environment":"#)
        bytes.appendJSONString(settings.environment(of: open.notification))
        bytes.appendASCII(#","collapse_id":"#)
        bytes.appendJSONString(utf8: open.notification.collapseID)
        bytes.appendASCII(#","connector":"#)
        bytes.appendJSONString(settings.connector)
        bytes.appendASCII(#","attempts":"#)
        bytes.appendDecimal(Int64(outcome.attempts))
    }

    private mutating func writeTimes(
        _ open: borrowing OpenNotification, _ outcome: borrowing Outcome
    ) {
        bytes.appendASCII(#","event_time":"#)
        write(time: open.notification.eventTime)
        bytes.appendASCII(#","sent_at":"#)
        write(time: outcome.sentAt)
        bytes.appendASCII(#","answered_at":"#)
        write(time: outcome.answeredAt)
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
    /// A device token as the outcomes may tell it; nil when there is none or it is not told.
    func told(_ token: [UInt8]) -> [UInt8]? {
        if token.isEmpty { return nil }
        return switch deviceTokens {
        case .full: token
        case .hashed: Hexadecimal.encode(SHA256.hash(token))
        case .omitted: nil
        }
    }
}

extension ByteBuffer {
    /// Adds the canonical form of an identifier.
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

    /// Adds a time in milliseconds since 1970 in RFC 3339.
    mutating func append(time: Int64, _ times: inout TimestampWriter) {
        guard let words = times.characters(milliseconds: time) else {
            return append([UInt8](Timestamp.text(milliseconds: time).utf8))
        }
        append(word: words.0)
        append(word: words.1)
        append(word: words.2)
    }
}
