internal import Delivery
internal import EventLoop
internal import JSON

/// Log lines about single pushes, written only where the log's level asks for them.
extension Engine {
    /// Notes the verdict of a push.
    mutating func trace(_ id: PushID, _ verdict: Verdict, _ status: Int, _ reason: String?) {
        var fields = place(of: id)
        fields += [
            ("verdict", .text(verdict.rawValue)),
            ("attempts", .number(Int(pushes[id].attempts))),
        ]
        if let token = shortToken(of: id) { fields.append(("device_token", .text(token))) }
        if status > 0 { fields.append(("status", .number(status))) }
        if let reason { fields.append(("reason", .text(reason))) }
        notices.append(Notice(.trace, "push decided", fields))
    }

    /// Notes that a push waits for another attempt.
    mutating func noteRetry(_ id: PushID, after delay: Duration) {
        guard settings.logDetail >= .retries else { return }
        let details = pushes[details: id]
        var fields = place(of: id)
        fields += [
            ("attempts", .number(Int(pushes[id].attempts))),
            ("delay_ms", .number(Int(delay.milliseconds))),
        ]
        if let status = details.lastStatus { fields.append(("last_status", .number(status))) }
        if let reason = details.lastReason { fields.append(("last_reason", .text(reason))) }
        notices.append(Notice(.debug, "push waits for a retry", fields))
    }

    private func place(of id: PushID) -> [Notice.Field] {
        let origin = records[pushes[id].record.slot].stored.origin
        return [
            ("apns_id", .text("\(pushes[id].id)")),
            ("topic", .text(origin.topicPartition.topic)),
            ("partition", .number(Int(origin.topicPartition.partition))),
            ("offset", .number(Int(origin.offset))), ("index", .number(Int(pushes[id].index))),
            ("app", .text(settings[pushes[id].app]?.name ?? "")),
        ]
    }

    /// The first and last four characters of a device token; nothing of one that is short. Nil
    /// without a device token.
    private func shortToken(of id: PushID) -> String? {
        records[pushes[id].record.slot].stored.withToken(pushes[id].content) { bytes in
            guard bytes.byteCount > 0 else { return nil }
            guard bytes.byteCount >= 16 else { return "..." }
            var text = ""
            for index in [0, 1, 2, 3, -4, -3, -2, -1] {
                if index == -4 { text += "..." }
                let offset = index < 0 ? bytes.byteCount + index : index
                let byte = bytes.byte(at: offset)
                text.unicodeScalars.append(Unicode.Scalar(byte < 0x80 ? byte : 0x3F))
            }
            return text
        }
    }
}
