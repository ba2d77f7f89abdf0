internal import Configuration
internal import Delivery
internal import Encoding
internal import TLS

/// A record that could not be delivered: the original, with headers that say why.
enum DeadLetter {
    static func record(
        _ push: Push, _ details: PushDetails, _ report: Push.Report, _ origin: borrowing Record,
        _ settings: EngineSettings
    ) -> ResultRecord {
        var headers = details.omission == .everything ? [] : origin.copyHeaders()
        // What an earlier dead letter said of this event is replaced by what follows.
        headers.removeAll { $0.name.hasPrefix(BridgeHeader.prefix.description) }
        headers.append(contentsOf: reasons(push, details, report, settings))
        headers.append(contentsOf: place(of: origin))
        var key: [UInt8]?
        if details.omission != .everything { key = origin.copyKey() }
        var value: [UInt8]?
        if details.omission == .nothing {
            value = origin.copyValue()
        } else {
            headers.append(contentsOf: omitted(origin))
        }
        return ResultRecord(
            topic: settings.results.deadLetter, key: key, value: value, headers: headers)
    }

    private static func reasons(
        _ push: Push, _ details: PushDetails, _ report: Push.Report, _ settings: EngineSettings
    ) -> [ResultRecord.Header] {
        var detail = details.drop?.detail
        let status = report.status == 0 ? details.lastStatus : Int(report.status)
        if detail == nil, let status {
            detail = "APNs responded \(status) \(details.reason ?? "without a reason")"
        }
        return [
            header("reason", details.reason ?? "no_reason"),
            header("detail", detail ?? "APNs never responded before the push was given up"),
            header("connector", settings.connector),
            header("attempts", String(push.attempts)),
            header("apns-id", push.id.description),
            header("index", String(push.index)),
        ]
    }

    private static func place(of origin: borrowing Record) -> [ResultRecord.Header] {
        var headers = [
            header("topic", origin.topicPartition.topic),
            header("partition", String(origin.topicPartition.partition)),
            header("offset", String(origin.offset)),
        ]
        if let timestamp = origin.timestamp {
            headers.append(header("timestamp", String(timestamp)))
        }
        return headers
    }

    private static func omitted(_ origin: borrowing Record) -> [ResultRecord.Header] {
        let value = origin.copyValue() ?? []
        let hash = String(decoding: Hexadecimal.encode(SHA256.hash(value)), as: UTF8.self)
        return [
            header("value-omitted", String(value.count)), header("value-sha256", hash),
        ]
    }

    private static func header(_ name: String, _ text: String) -> ResultRecord.Header {
        (BridgeHeader.prefix.description + name, [UInt8](text.utf8))
    }
}
