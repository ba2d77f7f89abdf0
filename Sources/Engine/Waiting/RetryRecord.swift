internal import Configuration
internal import Delivery

/// A push's state as stored in a retry record.
struct RetryState: Equatable, Sendable {
    /// When it may be sent again, in milliseconds since 1970.
    var due: Int64
    /// The index of the notification within its record.
    var index: Int
    var id: NotificationID
    var attempts: Int
    /// Attempts that APNs rejected because of the credential: they do not count.
    var suspendedAttempts: Int
    /// When its record was first taken, in milliseconds since 1970.
    var takenAt: Int64
    /// Its order among the pushes taken in the same millisecond.
    var order: Int64
    /// When it is given up, in milliseconds since 1970.
    var until: Int64
    /// When its record was written to the retry topic, in milliseconds since 1970, by the clock
    /// that gave `due` and `until`; nil where an older version wrote it to a topic without
    /// timestamps.
    var writtenAt: Int64?
    /// Why an attempt is in doubt; nil when none is.
    var doubt: String?
    /// What an attempt in doubt was to do with a Live Activity; nil for any other push.
    var activityEvent: ActivityEvent?
    /// The partition and offset of the event.
    var origin: RecordOrigin
    var lastStatus: Int?
    var lastReason: String?
    /// When its first and its last attempt that count were sent, and when APNs last responded, in
    /// milliseconds since 1970; nil where that never happened.
    var firstSentAt: Int64?
    var sentAt: Int64?
    var respondedAt: Int64?

    /// How long ago it was written, in milliseconds; 0 if the clock was set back since.
    func age(at now: Int64) -> Int64 { max(0, now - (writtenAt ?? now)) }

    /// How long is left until a time that its writer has set, in milliseconds. A clock that was set
    /// back since adds nothing.
    func left(until end: Int64, at now: Int64) -> Int64 {
        end - (writtenAt ?? now) - age(at: now)
    }

    /// How long it still has to wait; nil when it is due. No longer than it was to wait when it was
    /// written, where the clock was set back since.
    func delay(at now: Int64) -> Duration? {
        due > now ? .milliseconds(left(until: due, at: now)) : nil
    }

    /// Orders pushes by age: see ``SentMemory``.
    var sequence: UInt64 { UInt64(takenAt) << 20 | UInt64(order) }
}

/// A record of the retry topic: the original event, and headers that say which of its pushes to
/// resend, and when.
enum RetryRecord {
    private static let prefix = BridgeHeader.retryPrefix.description

    /// Why a record cannot be read.
    struct Damage: Error, Equatable {
        var detail: String
    }

    /// Writes the record of a waiting push that is due at `due` and given up at `until`. All times
    /// are in milliseconds since 1970.
    static func record(
        _ push: Push, _ details: PushDetails, _ origin: borrowing Record, due: Int64,
        until: Int64, now: Int64, topic: String, seal: SealKeys? = nil
    ) -> ResultRecord {
        var headers = origin.copyHeaders()
        func add(_ name: String, _ text: String?) {
            if let text { headers.append((prefix + name, [UInt8](text.utf8))) }
        }
        add("due", String(due))
        add("index", String(push.index))
        add("apns-id", push.id.description)
        add("attempts", String(push.attempts))
        add("suspended", String(details.suspendedAttempts))
        add("taken", String(push.sequence >> 20))
        add("order", String(push.sequence & 0xFFFFF))
        add("until", String(until))
        add("written", String(now))
        add("in-doubt", details.doubt)
        add("event", details.firstActivityEvent?.rawValue)
        add("topic", origin.topicPartition.topic)
        add("partition", String(origin.topicPartition.partition))
        add("offset", String(origin.offset))
        add("timestamp", origin.timestamp.map { String($0) })
        add("status", details.lastStatus.map { String($0) })
        add("reason", details.lastReason)
        add("first-sent", (details.firstSentAt ?? push.sentAt).map { String($0) })
        add("sent", push.sentAt.map { String($0) })
        add("answered", push.respondedAt.map { String($0) })
        headers.removeAll { $0.name == SealKeys.header }
        let (key, value) = (origin.copyKey(), origin.copyValue())
        if let seal {
            headers.append(seal.seal(.retry, key: key, value: value, headers: headers))
        }
        return ResultRecord(topic: topic, key: key, value: value, headers: headers)
    }

    /// Reads the retry state from the headers of a record.
    static func state(of record: borrowing Record) throws(Damage) -> RetryState {
        let texts = Texts(record)
        return RetryState(
            due: try texts.number("due", in: 0...Int64.max),
            index: try texts.index, id: try texts.id,
            attempts: Int(try texts.number("attempts", in: 0...Int64(Int32.max))),
            suspendedAttempts: Int(try texts.number("suspended", in: 0...Int64(Int32.max))),
            takenAt: try texts.number("taken", in: 0...(Int64.max >> 21)),
            order: try texts.number("order", in: 0...0xFFFFF),
            until: try texts.number("until", in: 0...(Int64.max >> 21)),
            writtenAt: try texts.optional("written", in: 0...(Int64.max >> 21)) ?? record.timestamp,
            doubt: texts.all["in-doubt"],
            activityEvent: texts.all["event"].flatMap { ActivityEvent(rawValue: $0) },
            origin: try origin(texts),
            lastStatus: try texts.optional("status", in: 0...999).map { Int($0) },
            lastReason: texts.all["reason"],
            firstSentAt: try texts.optional("first-sent", in: 0...Int64.max),
            sentAt: try texts.optional("sent", in: 0...Int64.max),
            respondedAt: try texts.optional("answered", in: 0...Int64.max))
    }

    /// Reads which push of which event a record of the replay topic is; the rest is as for an event
    /// that was taken `now`, in milliseconds since 1970.
    static func replayState(
        of record: borrowing Record, sequence: UInt64, now: Int64, until: Int64
    ) throws(Damage) -> RetryState {
        let texts = Texts(record)
        return RetryState(
            due: 0, index: try texts.index, id: try texts.id, attempts: 0, suspendedAttempts: 0,
            takenAt: Int64(sequence >> 20), order: Int64(sequence & 0xFFFFF), until: until,
            writtenAt: now, origin: try origin(texts))
    }

    /// When the event of a record happened, as far as is known: by the header that names its
    /// timestamp, or by the time of the record itself.
    static func eventTime(of record: borrowing Record) -> Int64? {
        let text = Texts(record).all["timestamp"]
        let written = text.flatMap { Int64($0) }.flatMap { $0 > 0 ? $0 : nil }
        guard let written, let stored = record.timestamp else { return written ?? record.timestamp }
        return min(written, stored)
    }

    /// Writes the headers that ``replayState(of:sequence:now:until:)`` reads.
    static func replayHeaders(
        id: String, index: String, originHeaders: [ResultRecord.Header]
    ) -> [ResultRecord.Header] {
        [(prefix + "apns-id", Array(id.utf8)), (prefix + "index", Array(index.utf8))]
            + originHeaders.map { (prefix + $0.name, $0.value) }
    }

    /// True for a name that a topic of Kafka may have.
    static func isTopic(_ name: String) -> Bool {
        (1...249).contains(name.utf8.count) && name != "." && name != ".."
            && name.utf8.allSatisfy {
                switch $0 {
                case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
                    UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "."),
                    UInt8(ascii: "_"), UInt8(ascii: "-"):
                    true
                default: false
                }
            }
    }

    private static func origin(_ texts: Texts) throws(Damage) -> RecordOrigin {
        let topic = try texts.text("topic")
        guard isTopic(topic) else {
            throw Damage(detail: "the header \(prefix)topic is not the name of a topic")
        }
        return RecordOrigin(
            topicPartition: TopicPartition(
                topic: topic,
                partition: Int32(try texts.number("partition", in: 0...Int64(Int32.max)))),
            offset: try texts.number("offset", in: 0...Int64.max),
            timestamp: try texts.optional("timestamp", in: 0...Int64.max))
    }

    /// The values of our headers, by name without the prefix.
    private struct Texts {
        var all: [String: String] = [:]

        init(_ record: borrowing Record) {
            for (name, value) in record.copyHeaders() where name.hasPrefix(prefix) {
                all[String(name.dropFirst(prefix.count))] = value.map {
                    String(decoding: $0, as: UTF8.self)
                }
            }
        }

        var id: NotificationID {
            get throws(Damage) {
                guard let id = NotificationID(Array(try text("apns-id").utf8)) else {
                    throw Damage(detail: "the header \(prefix)apns-id is not a valid UUID")
                }
                return id
            }
        }

        var index: Int {
            get throws(Damage) { Int(try number("index", in: 0...Int64(Int32.max))) }
        }

        func text(_ name: String) throws(Damage) -> String {
            guard let text = all[name], !text.isEmpty else {
                throw Damage(detail: "the header \(prefix)\(name) is missing")
            }
            return text
        }

        /// Nil where the header is absent.
        func optional(
            _ name: String, in range: ClosedRange<Int64>
        ) throws(Damage) -> Int64? {
            all[name] == nil ? nil : try number(name, in: range)
        }

        func number(_ name: String, in range: ClosedRange<Int64>) throws(Damage) -> Int64 {
            guard let number = Int64(try text(name)), range.contains(number) else {
                throw Damage(detail: "the header \(prefix)\(name) is not a number in its range")
            }
            return number
        }
    }
}
