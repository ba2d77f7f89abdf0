internal import Delivery
internal import JSON

/// Broadcasts: their channel, and what they may say.
extension Mapper {
    /// The field that names the channel.
    private var channelField: String {
        evaluator.plan.blocks[evaluator.block].isBroadcast ? "broadcast.channel" : "channel_id"
    }

    /// Assigns its channel to the block's first notification, which is for no device.
    mutating func takeChannel(
        _ position: Int, in bytes: RawSpan, into result: inout MappedRecord
    ) throws(MappingFault) {
        tokens.field = channelField
        try refuseTokens(in: bytes)
        try take(evaluator.fields.channel, position, in: bytes, into: &result)
        if tokens.taken == 0 {
            throw MappingFault(cause: .absent, hole: evaluator.hole(of: evaluator.fields.channel))
        }
    }

    /// An event must not name both a channel and devices.
    private mutating func refuseTokens(in bytes: RawSpan) throws(MappingFault) {
        for template in [evaluator.fields.deviceToken, evaluator.fields.tokenArray] {
            let hole = evaluator.hole(of: template)
            guard hole >= 0 else { continue }
            if case .absent = try evaluator.value(ofHole: hole, in: bytes) { continue }
            throw MappingFault(cause: .invalid(.destination(.bothKinds)))
        }
    }

    /// Why a broadcast is dropped whose payload starts a Live Activity; nil for any other.
    mutating func drop(ofBroadcast notification: borrowing Notification) -> Drop? {
        guard (try? payloadTape.read(notification.payload)) != nil else { return nil }
        evaluator.spend(notification.payload.count)
        let event = notification.payload.withBytes { bytes -> String? in
            guard let aps = payloadTape.member("aps", of: 0, in: bytes),
                let event = payloadTape.member("event", of: aps, in: bytes)
            else { return nil }
            return payloadTape.text(of: event, in: bytes)
        }
        guard event == "start" else { return nil }
        let isActivity = evaluator.plan.blocks[evaluator.block].isLiveActivity
        let field = isActivity ? "live_activity.event" : "payload"
        let name = isActivity ? "'event'" : "'aps.event' in the payload"
        return Drop(
            .payloadRule,
            "\(prefix(field))\(name) must be update or end: \(Self.broadcastRule)",
            specifics: elementMessage)
    }

    /// Why a broadcast cannot have any event.
    static var broadcastRule: String { "a broadcast cannot start a Live Activity" }

    /// What a payload that is too large is, for explanations.
    func kindOfPush(_ notification: borrowing Notification) -> String {
        notification.isBroadcast ? "a broadcast" : notification.pushType.rawValue
    }
}
