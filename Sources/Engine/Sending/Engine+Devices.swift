internal import Delivery
internal import EventLoop

/// Devices that APNs has reported as unregistered: older events are not sent to them.
extension Engine {
    /// APNs has reported the device of a push: until Kafka has the results, this push stands for
    /// the device.
    mutating func noteUnregistered(_ id: PushID) {
        guard settings.rememberUnregistered > .zero, pushes.isCurrent(id) else { return }
        let device = device(of: id)
        if let first = devices.reporter(of: device), isReportingDevice(first) { return }
        devices.report(device, by: id)
    }

    /// Remembers the device of a push whose results Kafka has. A push without one of them is read
    /// again if its partition moves, and must then be sent again, not dropped.
    mutating func rememberUnregistered(_ id: PushID) {
        guard settings.rememberUnregistered > .zero else { return }
        // A verdict that the guard withheld is older than this turn.
        let age = max(0, wallClock - (pushes[id].respondedAt ?? wallClock))
        let device = device(of: id)
        devices.remember(device, respondedAt: now - .milliseconds(age))
    }

    /// APNs has accepted a push: what it said about the device before does not count any more.
    mutating func noteRegistered(_ id: PushID) {
        guard devices.areUnregistered, pushes[id].content.destinationCount > 0 else { return }
        let isKnown = respondedAsUnregistered(id) != nil
        guard isKnown || devices.isAnyReported else { return }
        let device = device(of: id)
        devices.accepted(device, isKnown: isKnown, at: now)
    }

    /// The push is closing: if it stood for its device, only what Kafka has stored does now.
    mutating func forgetReport(_ id: PushID) {
        guard pushes.hasDetails(id), pushes[id].content.destinationCount > 0 else { return }
        let device = device(of: id)
        devices.endReport(device, by: id)
    }

    /// True when APNs has reported the push's device as unregistered and the event is not later:
    /// after a later event the app may have registered again.
    ///
    /// What may have arrived already is not dropped, because its verdict is not known.
    mutating func isForUnregisteredDevice(_ id: PushID) -> Bool {
        guard devices.areUnregistered, pushes[id].content.destinationCount > 0,
            !pushes.isInDoubt(id)
        else { return false }
        return isBeingReported(id) || isReported(id)
    }

    /// True when another push reports the push's device, and Kafka does not have its results yet.
    private mutating func isBeingReported(_ id: PushID) -> Bool {
        guard devices.isAnyReported else { return false }
        let device = device(of: id)
        guard let other = devices.reporter(of: device), isReportingDevice(other),
            let respondedAt = pushes[other].respondedAt
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
    private mutating func isReportingDevice(_ id: PushID) -> Bool {
        guard pushes.isCurrent(id), case .reporting(let report) = pushes[id].state,
            report.hasUnregistered
        else { return false }
        return intake.canBeReadAgain(pushes.assignment(of: id))
    }

    private mutating func respondedAsUnregistered(_ id: PushID) -> Instant? {
        guard devices.unregisteredCount > 0 else { return nil }
        let key = pushes.deviceKey(id)
        let app = pushes[id].app
        let content = pushes[id].content
        return devices.respondedAt(key) {
            pushes[recordOf: id].stored.deviceCheck(app, content)
        }
    }

    private mutating func device(of id: PushID) -> UnregisteredDevices.Device {
        .init(key: pushes.deviceKey(id), check: deviceCheck(id))
    }

    private mutating func deviceCheck(_ id: PushID) -> UInt64 {
        pushes[recordOf: id].stored.deviceCheck(pushes[id].app, pushes[id].content)
    }
}

/// Devices throttled by APNs or by the connector's rate.
extension Engine {
    /// APNs has received too many requests for a device: later pushes to it wait as long, too.
    mutating func throttle(deviceOf id: PushID, until end: Instant) {
        let device = pushes.deviceKey(id)
        devices.throttle(device, until: end, now: now)
    }

    /// Until when nothing may be sent to a push's device; nil when it may be sent now.
    mutating func throttleEnd(_ id: PushID) -> Instant? {
        guard devices.areThrottled else { return nil }
        let device = pushes.deviceKey(id)
        return devices.throttleEnd(device, now: now)
    }

    /// Makes a push wait for its device, with jitter so that not all are sent at once.
    mutating func waitForDevice(_ id: PushID, until end: Instant) {
        let jitter = waiting.delay(afterAttempts: 1)
        wait(id, for: .milliseconds(now.duration(to: end).milliseconds) + jitter)
    }

    /// When the device's rate allows the push; nil without such a rate.
    mutating func nextForDevice(_ id: PushID) -> Instant? {
        guard devices.areLimited, !pushes[id].isBroadcast else { return nil }
        let device = pushes.deviceKey(id)
        return devices.next(device)
    }

    /// Counts a send against the rate of its device.
    mutating func countForDevice(_ id: PushID) {
        guard devices.areLimited, !pushes[id].isBroadcast else { return }
        let device = pushes.deviceKey(id)
        devices.sent(device, now: now)
    }
}

extension RecordCopy {
    /// A hash of a push's app and device that is independent of ``Engine/deviceKey(_:)``.
    fileprivate func deviceCheck(_ app: AppID, _ content: Push.Content) -> UInt64 {
        // An app of the connector has one environment.
        var hash = TextHash(0x6170_6E73_0000_0001 &+ UInt64(truncatingIfNeeded: app.index))
        withOwnBundleID(content) { hash.add($0) }
        withDestination(content) { hash.add($0) }
        return hash.value
    }
}
