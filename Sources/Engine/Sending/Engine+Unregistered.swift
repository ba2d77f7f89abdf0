internal import Delivery
internal import EventLoop

/// Devices that APNs has reported as unregistered: older events are not sent to them.
extension Engine {
    /// Remembers the device of a push whose results Kafka has. A push without one of them is read
    /// again if its partition moves, and must then be sent again, not dropped.
    mutating func rememberUnregistered(_ id: PushID) {
        guard settings.rememberUnregistered > .zero else { return }
        let device = UnregisteredDevices.Device(place: deviceKey(id), check: deviceCheck(id))
        // A verdict that the guard withheld is older than this turn.
        let age = max(0, wallClock - (pushes[id].respondedAt ?? wallClock))
        unregistered.insert(device, respondedAt: now - .milliseconds(age))
    }

    /// True when APNs has reported the push's device as unregistered and the event is not later:
    /// after a later event the app may have registered again.
    ///
    /// What may have arrived already is not dropped, because its verdict is not known.
    mutating func isForUnregisteredDevice(_ id: PushID) -> Bool {
        guard unregistered.count > 0, pushes[id].content.tokenCount > 0, !pushes.isInDoubt(id)
        else { return false }
        guard let respondedAt = respondedAsUnregistered(id) else { return false }
        let age = respondedAt.duration(to: now)
        // The age is monotonic: a wall clock that was wrong at the time does not matter now.
        return age < settings.rememberUnregistered
            && pushes[id].eventTime <= wallClock - age.milliseconds
    }

    private mutating func respondedAsUnregistered(_ id: PushID) -> Instant? {
        let place = deviceKey(id)
        let app = pushes[id].app
        let content = pushes[id].content
        let slot = pushes[id].record.slot
        return unregistered.respondedAt(place) {
            records[slot].stored.deviceCheck(app, content)
        }
    }

    private func deviceCheck(_ id: PushID) -> UInt64 {
        records[pushes[id].record.slot].stored.deviceCheck(pushes[id].app, pushes[id].content)
    }
}

extension RecordCopy {
    /// A hash of a push's app and device that is independent of ``Engine/deviceKey(_:)``.
    fileprivate func deviceCheck(_ app: AppID, _ content: Push.Content) -> UInt64 {
        // An app of the connector has one environment.
        var hash = TextHash(0x6170_6E73_0000_0001 &+ UInt64(truncatingIfNeeded: app.index))
        withOwnBundleID(content) { hash.add($0) }
        withToken(content) { hash.add($0) }
        return hash.value
    }
}
