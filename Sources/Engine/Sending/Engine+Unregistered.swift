internal import Delivery
internal import EventLoop

/// Devices that APNs has reported as unregistered: older events are not sent to them.
extension Engine {
    /// APNs has reported the device of a push: until Kafka has the results, this push stands for
    /// the device.
    mutating func noteUnregistered(_ id: PushID) {
        guard settings.rememberUnregistered > .zero, pushes.isCurrent(id) else { return }
        let device = device(of: id)
        if let first = devicesBeingReported[device], isReportingDevice(first) { return }
        devicesBeingReported[device] = id
    }

    /// Remembers the device of a push whose results Kafka has. A push without one of them is read
    /// again if its partition moves, and must then be sent again, not dropped.
    mutating func rememberUnregistered(_ id: PushID) {
        guard settings.rememberUnregistered > .zero else { return }
        // A verdict that the guard withheld is older than this turn.
        let age = max(0, wallClock - (pushes[id].respondedAt ?? wallClock))
        unregistered.insert(device(of: id), respondedAt: now - .milliseconds(age))
    }

    /// APNs has accepted a push: what it said about the device before does not count any more.
    mutating func noteRegistered(_ id: PushID) {
        guard unregistered.count > 0 || !devicesBeingReported.isEmpty,
            pushes[id].content.tokenCount > 0
        else { return }
        let isKnown = respondedAsUnregistered(id) != nil
        guard isKnown || !devicesBeingReported.isEmpty else { return }
        let device = device(of: id)
        let isReported = devicesBeingReported.removeValue(forKey: device) != nil
        if isKnown || isReported { unregistered.accept(device, at: now) }
    }

    /// The push is closing: if it stood for its device, only what Kafka has stored does now.
    mutating func forgetReport(_ id: PushID) {
        guard pushes.hasDetails(id), pushes[id].content.tokenCount > 0 else { return }
        let device = device(of: id)
        if devicesBeingReported[device] == id { devicesBeingReported[device] = nil }
    }

    /// True when APNs has reported the push's device as unregistered and the event is not later:
    /// after a later event the app may have registered again.
    ///
    /// What may have arrived already is not dropped, because its verdict is not known.
    mutating func isForUnregisteredDevice(_ id: PushID) -> Bool {
        guard unregistered.count > 0 || !devicesBeingReported.isEmpty,
            pushes[id].content.tokenCount > 0, !pushes.isInDoubt(id)
        else { return false }
        return isBeingReported(id) || isReported(id)
    }

    /// True when another push reports the push's device, and Kafka does not have its results yet.
    private mutating func isBeingReported(_ id: PushID) -> Bool {
        guard !devicesBeingReported.isEmpty, let other = devicesBeingReported[device(of: id)],
            isReportingDevice(other), let respondedAt = pushes[other].respondedAt
        else { return false }
        return pushes[id].eventTime <= respondedAt
    }

    private mutating func isReported(_ id: PushID) -> Bool {
        guard let respondedAt = respondedAsUnregistered(id) else { return false }
        let age = respondedAt.duration(to: now)
        // The age is monotonic: a wall clock that was wrong at the time does not matter now.
        return age < settings.rememberUnregistered
            && pushes[id].eventTime <= wallClock - age.milliseconds
    }

    /// True while a push owes the unregistered record of its device and can be read again if that
    /// is not stored. A verdict that the guard withholds does not count: it may be wrong.
    private func isReportingDevice(_ id: PushID) -> Bool {
        guard pushes.isCurrent(id), case .reporting(let report) = pushes[id].state,
            report.hasUnregistered,
            let index = partitions.index(of: assignment(of: id))
        else { return false }
        return partitions[index].state != .replaced
    }

    private mutating func respondedAsUnregistered(_ id: PushID) -> Instant? {
        guard unregistered.count > 0 else { return nil }
        let place = deviceKey(id)
        let app = pushes[id].app
        let content = pushes[id].content
        let slot = pushes[id].record.slot
        return unregistered.respondedAt(place) {
            records[slot].stored.deviceCheck(app, content)
        }
    }

    private mutating func device(of id: PushID) -> UnregisteredDevices.Device {
        .init(place: deviceKey(id), check: deviceCheck(id))
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
