internal import Delivery
internal import EventLoop
internal import JSON

/// Notices about single pushes, made only where the log's level asks for them.
extension Engine {
    /// Notes the verdict of a push.
    mutating func trace(_ id: PushID, _ verdict: Verdict, _ status: Int, _ reason: String?) {
        let decision = Notice.Decision(
            verdict: verdict, status: status, reason: reason, deviceToken: shortToken(of: id),
            channelID: channelID(of: id))
        notices.append(.decided(notice(about: id), decision))
    }

    /// Notes that a push waits for another attempt.
    mutating func noteRetry(_ id: PushID, after delay: Duration) {
        guard settings.logDetail >= .retries else { return }
        let details = pushes[details: id]
        notices.append(
            .retried(
                notice(about: id), after: delay, lastStatus: details.lastStatus,
                lastReason: details.lastReason))
    }

    private func notice(about id: PushID) -> Notice.PushNotice {
        let origin = pushes[recordOf: id].stored.origin
        return Notice.PushNotice(
            id: pushes[id].id, topicPartition: origin.topicPartition, offset: origin.offset,
            index: Int(pushes[id].index), app: settings[pushes[id].app]?.name ?? "",
            attempts: Int(pushes[id].attempts))
    }

    /// The channel of a broadcast, which identifies nobody.
    func channelID(of id: PushID) -> String? {
        guard pushes[id].isBroadcast, pushes[id].content.destinationCount > 0 else { return nil }
        var identifier: [UInt8] = []
        pushes[recordOf: id].stored.withDestination(pushes[id].content) {
            identifier.replace(with: $0)
        }
        return String(decoding: identifier, as: UTF8.self)
    }

    /// The first and last four characters of a device token; nothing of one that is short. Nil
    /// without a device token.
    private func shortToken(of id: PushID) -> String? {
        guard !pushes[id].isBroadcast else { return nil }
        return pushes[recordOf: id].stored.withDestination(pushes[id].content) { bytes in
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
