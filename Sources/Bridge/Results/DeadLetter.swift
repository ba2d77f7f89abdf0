internal import Configuration
internal import Delivery
internal import Encoding
internal import TLS

/// A record that could not be delivered: as it came, with headers that say why.
enum DeadLetter {
    static func record(
        _ open: borrowing OpenNotification, _ origin: borrowing Record, _ settings: WorkerSettings
    ) -> ResultRecord {
        var headers = open.omission == .everything ? [] : origin.copyHeaders()
        headers.append(contentsOf: reasons(open, settings))
        headers.append(contentsOf: place(of: origin))
        var key: [UInt8]?
        if open.omission != .everything { key = origin.copyKey() }
        var value: [UInt8]?
        if open.omission == .nothing {
            value = origin.copyValue()
        } else {
            headers.append(contentsOf: omitted(origin))
        }
        return ResultRecord(
            topic: settings.results.deadLetter, key: key, value: value, headers: headers)
    }

    private static func reasons(
        _ open: borrowing OpenNotification, _ settings: WorkerSettings
    ) -> [ResultRecord.Header] {
        let outcome = open.outcome
        var detail = open.notification.drop?.detail
        if detail == nil, let status = outcome?.status ?? outcome?.lastStatus {
            detail = "APNs answered \(status) \(outcome?.reason ?? "without a reason")"
        }
        return [
            header("reason", outcome?.reason ?? "no_reason"),
            header("detail", detail ?? "nobody answered until it was given up"),
            header("connector", settings.connector),
            header("attempts", String(outcome?.attempts ?? 0)),
            header("apns-id", open.id.description),
            header("index", String(open.notification.index)),
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
        ("apns-bridge-" + name, [UInt8](text.utf8))
    }
}
