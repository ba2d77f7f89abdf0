internal import Delivery
internal import JSON

extension Mapper {
    /// Gives a Push to Talk push that is not about audio the defaults of such: priority 5, and
    /// stored as any other push.
    ///
    /// Source: Apple, *Creating a Push to Talk app*.
    mutating func adjust(pushToTalk notification: inout Notification, in bytes: RawSpan) {
        guard notification.drop == nil, isServiceUpdate(notification.payload) else { return }
        if notification.isPriorityDefault { notification.priority = 5 }
        notification.expiration = .absent
        notification.expiresAt = nil
        notification.usesTimeToLive = false
        do throws(MappingFault) {
            try evaluator.takeExpiration(to: &notification, isAudio: false, in: bytes)
        } catch { note(error, field: error.fieldOfExpiration, in: &notification) }
    }

    /// True for a payload with `aps.ptt-push-type: service-update`.
    private func isServiceUpdate(_ payload: [UInt8]) -> Bool {
        var tape = JSONTape()
        do throws(JSONError) { try tape.read(payload) } catch { return false }
        guard let aps = tape.member("aps", of: 0, in: payload),
            let type = tape.member("ptt-push-type", of: aps, in: payload)
        else { return false }
        return tape.text(of: type, in: payload) == "service-update"
    }
}
