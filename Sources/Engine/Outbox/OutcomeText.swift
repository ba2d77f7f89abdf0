internal import APNs
internal import Configuration
internal import Delivery
internal import Encoding
internal import JSON
internal import TLS

/// Writes the value of an outcome as described by `Schemas/outcome.v1.json`.
///
/// Every push has one. Parts that many outcomes share are kept as templates; the rest comes from
/// the memory of the record.
struct OutcomeText: ~Copyable {
    /// The longest device token in an outcome that is shortened because it was too large.
    private static let shortToken = 256

    /// The text between device token or channel ID and collapse ID, for most pushes of a queue.
    private struct AppText {
        var pushType: PushType?
        var priority: UInt8 = 0
        var bytes: [UInt8] = []
    }

    /// The text from `first_sent_at` to the name of `payload_bytes` of a push with one attempt.
    private struct AttemptText {
        var sentAt: Int64?
        var respondedAt: Int64?
        var bytes: [UInt8] = []
    }

    private(set) var bytes = ByteBuffer()
    private var times = TimestampWriter()
    /// Pushes that get their outcome in one turn were mostly sent in one turn, too.
    private var attempt = AttemptText()
    /// A device token while its digest is computed.
    private var digested: [UInt8] = []
    private let deviceTokens: ResultsSettings.DeviceTokenPrivacy
    private let seal: SealKeys?
    private let containsEventKey: Bool
    private let apps: [EngineApp]
    private let bundleIDs: [[UInt8]]
    private var appTexts: [AppText]
    /// That of the app of the last outcome, which most have in common with the one before.
    private var appText = AppText()
    private var appOfText = AppID.none
    private let connector: [UInt8]
    /// The start of `source`, and the partition that it contains.
    private var source: [UInt8] = []
    private var origin: TopicPartition?

    init(_ settings: EngineSettings, _ bundleIDs: [[UInt8]]) {
        deviceTokens = settings.results.deviceTokens
        seal = settings.results.seal
        containsEventKey = settings.results.containsEventKey
        apps = settings.apps
        self.bundleIDs = bundleIDs
        appTexts = Array(repeating: AppText(), count: bundleIDs.count)
        var text = ByteBuffer()
        text.appendASCII(#","connector":"#)
        text.appendJSONString(settings.connector)
        text.appendASCII(#","connector_digest":"#)
        text.appendJSONString(settings.connectorDigest.isEmpty ? nil : settings.connectorDigest)
        text.appendASCII(#","attempts":"#)
        connector = text.copy()
    }

    /// Writes an outcome. Most pushes have no details of their own: an optional would be copied
    /// for each question whether it has a value.
    mutating func write(
        _ push: Push, _ details: borrowing PushDetails, _ report: Push.Report,
        _ record: borrowing RecordCopy
    ) {
        bytes.removeAll()
        writeVerdict(push, details, report)
        bytes.append(push.id)
        writePush(push, details, record)
        bytes.append(connector)
        bytes.appendDecimal(Int64(push.attempts))
        writeTimes(push, details)
        writeContent(push, details, record)
        writeHistory(push, details, record)
        writeSource(record)
    }

    /// Everything up to the `apns-id`.
    private mutating func writeVerdict(
        _ push: Push, _ details: borrowing PushDetails, _ report: Push.Report
    ) {
        let isDecidedByResponse = report.status != 0
        if report.status == 200, report.verdict == .accepted, !report.isSuspect,
            !push.hasDetails
                || (details.reason == nil && details.labelFault == nil && details.lastStatus == nil)
        {
            bytes.appendASCII(
                #"{"type":"apns-bridge.outcome.v1","verdict":"accepted","reason":null,"#)
            bytes.appendASCII(
                #""detail":null,"suspect":false,"last_status":null,"last_reason":null,"#)
            return bytes.appendASCII(#""status":200,"apns_id":""#)
        }
        bytes.appendASCII(#"{"type":"apns-bridge.outcome.v1","verdict":"#)
        bytes.appendJSONString(report.verdict?.rawValue)
        bytes.appendASCII(#","reason":"#)
        bytes.appendJSONString(details.reason)
        bytes.appendASCII(#","detail":"#)
        let isShort = details.isOutcomeShort
        bytes.appendJSONString(isShort ? nil : details.detail(of: report))
        bytes.appendASCII(report.isSuspect ? #","suspect":true"# : #","suspect":false"#)
        bytes.appendASCII(#","last_status":"#)
        let hasEarlier = !isDecidedByResponse || report.verdict == .accepted
        write(hasEarlier ? details.lastStatus : nil)
        bytes.appendASCII(#","last_reason":"#)
        bytes.appendJSONString(hasEarlier ? details.lastReason : nil)
        bytes.appendASCII(#","status":"#)
        write(isDecidedByResponse ? Int(report.status) : nil)
        bytes.appendASCII(#","apns_id":""#)
    }

    /// Everything from the end of the `apns-id` to the collapse ID.
    private mutating func writePush(
        _ push: Push, _ details: borrowing PushDetails, _ record: borrowing RecordCopy
    ) {
        if push.index == 0, !push.hasDetails {
            bytes.appendASCII(#"","apns_unique_id":null,"index":0,"device_token":"#)
        } else {
            bytes.appendASCII(#"","apns_unique_id":"#)
            bytes.appendJSONString(utf8: details.uniqueID)
            bytes.appendASCII(#","index":"#)
            bytes.appendDecimal(Int64(push.index))
            bytes.appendASCII(#","device_token":"#)
        }
        let isShort = push.hasDetails && details.isOutcomeShort
        let isShown = !isShort || push.content.destinationCount <= Self.shortToken
        if push.isBroadcast {
            bytes.appendASCII(#"null,"channel_id":"#)
            if isShown {
                record.withDestination(push.content) { bytes.appendJSONString(utf8: $0) }
            } else {
                bytes.appendASCII("null")
            }
        } else if isShown, deviceTokens == .full {
            record.withDestination(push.content) { bytes.appendJSONString(utf8: $0) }
        } else {
            record.withDestination(push.content) { digested.replace(with: $0) }
            let token = isShown ? deviceTokens.reportable(digested, seal) : nil
            bytes.appendJSONString(utf8: token ?? [])
        }
        writeApp(push, isDropped: push.hasDetails && details.drop != nil, record)
        record.withCollapseID(push.content) { bytes.appendJSONString(utf8: $0) }
    }

    private func settings(of queue: AppID) -> EngineApp? {
        let index = queue.index < apps.count ? queue.index : queue.index - apps.count
        return apps.indices.contains(index) ? apps[index] : nil
    }

    /// Everything between device token and collapse ID.
    private mutating func writeApp(
        _ push: Push, isDropped: Bool, _ record: borrowing RecordCopy
    ) {
        // Few have their own bundle identifier, no device token, or a fault.
        let isUsual =
            push.content.bundleCount == 0 && push.content.destinationCount > 0 && !isDropped
        let app = push.app.index
        if isUsual, push.app == appOfText, push.pushType == appText.pushType,
            push.priority == appText.priority
        {
            return bytes.append(appText.bytes)
        }
        if isUsual, appTexts.indices.contains(app), appTexts[app].pushType == push.pushType,
            appTexts[app].priority == push.priority
        {
            (appText, appOfText) = (appTexts[app], push.app)
            return bytes.append(appText.bytes)
        }
        let start = bytes.count
        if !push.isBroadcast { bytes.appendASCII(#","channel_id":null"#) }
        bytes.appendASCII(#","bundle_id":"#)
        if push.content.bundleCount == 0, bundleIDs.indices.contains(app) {
            bytes.appendJSONString(utf8: bundleIDs[app])
        } else {
            record.withOwnBundleID(push.content) { bytes.appendJSONString(utf8: $0) }
        }
        bytes.appendASCII(#","push_type":"#)
        bytes.appendJSONString(push.content.destinationCount == 0 ? nil : push.pushType.rawValue)
        bytes.appendASCII(#","priority":"#)
        write(isDropped || push.priority == 0 ? nil : Int(push.priority))
        bytes.appendASCII(#","environment":"#)
        bytes.appendJSONString(settings(of: push.app)?.environment)
        bytes.appendASCII(#","collapse_id":"#)
        guard isUsual, appTexts.indices.contains(app) else { return }
        appTexts[app] = AppText(
            pushType: push.pushType, priority: push.priority, bytes: bytes.copy(from: start))
    }

    /// From `event_time` to the name of `payload_bytes`.
    private mutating func writeTimes(_ push: Push, _ details: borrowing PushDetails) {
        bytes.appendASCII(#","event_time":"#)
        write(time: push.eventTime)
        let isUsual = !push.hasDetails
        if isUsual, !attempt.bytes.isEmpty, attempt.sentAt == push.sentAt,
            attempt.respondedAt == push.respondedAt
        {
            return bytes.append(attempt.bytes)
        }
        let start = bytes.count
        bytes.appendASCII(#","first_sent_at":"#)
        write(time: details.firstSentAt ?? push.sentAt)
        bytes.appendASCII(#","sent_at":"#)
        write(time: push.sentAt)
        bytes.appendASCII(#","answered_at":"#)
        write(time: push.respondedAt)
        bytes.appendASCII(#","decided_at":"#)
        write(time: details.decidedAt ?? push.respondedAt)
        bytes.appendASCII(#","payload_bytes":"#)
        guard isUsual else { return }
        attempt.sentAt = push.sentAt
        attempt.respondedAt = push.respondedAt
        attempt.bytes.replace(with: bytes, from: start)
    }

    /// From the value of `payload_bytes` to `event_key`.
    private mutating func writeContent(
        _ push: Push, _ details: borrowing PushDetails, _ record: borrowing RecordCopy
    ) {
        let count = Int(push.content.payloadCount)
        write(count == 0 ? nil : count)
        let isShort = push.hasDetails && details.isOutcomeShort
        let hasKey = containsEventKey && !isShort && record.hasKey
        if push.content.labelsCount == 0, !push.isTruncated, !hasKey {
            return bytes.appendASCII(#","truncated":false,"labels":null,"event_key":null"#)
        }
        bytes.appendASCII(push.isTruncated ? #","truncated":true"# : #","truncated":false"#)
        bytes.appendASCII(#","labels":"#)
        if push.content.labelsCount > 0, !isShort {
            record.withLabels(push.content) { bytes.append($0) }
        } else {
            bytes.appendASCII("null")
        }
        bytes.appendASCII(#","event_key":"#)
        let isShown = hasKey && !(deviceTokens != .full && record.keyContainsToken(of: push))
        if isShown {
            record.withKey { bytes.appendJSONString(utf8: $0) }
        } else {
            bytes.appendASCII("null")
        }
    }

    /// Expiration, replays, and the push that is sent instead.
    private mutating func writeHistory(
        _ push: Push, _ details: borrowing PushDetails, _ record: borrowing RecordCopy
    ) {
        bytes.appendASCII(#","expiration":"#)
        write(time: push.expiresAt)
        bytes.appendASCII(#","replays":"#)
        bytes.appendDecimal(record.hasHeaders ? Self.replays(record) : 0)
        guard push.hasDetails, let newer = details.supersededBy else {
            return bytes.appendASCII(#","superseded_by":null"#)
        }
        bytes.appendASCII(#","superseded_by":""#)
        bytes.append(newer)
        bytes.appendASCII("\"")
    }

    /// How often the event was sent again by `replay`.
    private static func replays(_ record: borrowing RecordCopy) -> Int64 {
        let text = record.withRecord { $0.copyHeader(BridgeHeader.replays) }
        return max(0, text.flatMap { Int64(String(decoding: $0, as: UTF8.self)) } ?? 0)
    }

    private mutating func writeSource(_ record: borrowing RecordCopy) {
        if origin == record.origin.topicPartition {
            bytes.append(source)
        } else {
            let origin = record.origin.topicPartition
            let start = bytes.count
            bytes.appendASCII(#","source":{"topic":"#)
            bytes.appendJSONString(origin.topic)
            bytes.appendASCII(#","partition":"#)
            bytes.appendDecimal(Int64(origin.partition))
            bytes.appendASCII(#","offset":"#)
            source.replace(with: bytes, from: start)
            self.origin = origin
        }
        bytes.appendDecimal(record.origin.offset)
        bytes.appendASCII(#","timestamp":"#)
        write(time: record.origin.timestamp)
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

extension ResultsSettings.DeviceTokenPrivacy {
    /// A device token as `results.device_token` allows it; nil when it is empty or omitted.
    func reportable(_ token: [UInt8], _ seal: SealKeys?) -> [UInt8]? {
        if token.isEmpty { return nil }
        return switch self {
        case .full: token
        case .hashed: seal?.pseudonym(of: token) ?? Hexadecimal.encode(SHA256.hash(token))
        case .omitted: nil
        }
    }
}

extension ByteBuffer {
    /// Appends a time in milliseconds since 1970 as RFC 3339.
    mutating func append(time: Int64, _ times: inout TimestampWriter) {
        guard let message = times.characters(milliseconds: time) else {
            return append([UInt8](Timestamp.text(milliseconds: time).utf8))
        }
        append(word: message.0)
        append(word: message.1)
        append(word: message.2)
    }
}
