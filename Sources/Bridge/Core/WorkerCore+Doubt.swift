internal import Configuration
internal import Delivery
internal import Encoding
internal import EventLoop

/// What was sent and never answered: whether it is sent again, and what is said of it.
extension WorkerCore {
    /// Sends it again after a back-off where the connector allows that; else nobody knows.
    mutating func doubt(_ place: Int, reason: String) {
        notifications[place].doubt = reason
        guard mayResend(place), mayTryAgain(place) else { return reportDoubt(place) }
        notifications[place].doubts += 1
        let delay = settings.retry.delay(
            afterAttempts: notifications[place].doubts, random: chance.next())
        // Who reads a record again sends all of its pushes again, not only the one in doubt.
        let isAlone = records[notifications[place].record].count == 1
        guard isAlone || mayGoOn(place, after: UInt64(delay) * 1_000_000) || maySpill(place) else {
            return reportDoubt(place)
        }
        wait(place, delay)
        if notifications[place].stage == .parked { counters.retries += 1 }
    }

    /// The verdict of what was sent, is in doubt, and is not sent again.
    mutating func reportDoubt(_ place: Int) {
        finish(place, .unknown, reason: notifications[place].doubt ?? "no answer")
    }

    /// True when a push in doubt may be sent again: see ``DeliverySettings/InDoubt``.
    func mayResend(_ place: Int) -> Bool {
        switch settings.inDoubt {
        case .report: return false
        case .resend: return true
        case .collapse:
            guard let key = notifications[place].sentKey else { return false }
            return sentMemory.isNewest(key, birth: notifications[place].birth)
        }
    }

    /// Remembers what is sent, where that decides about another push in doubt.
    mutating func rememberSent(_ place: Int) {
        guard settings.inDoubt == .collapse,
            !notifications[place].notification.collapseID.isEmpty
        else { return }
        let key = notifications[place].sentKey ?? Self.sentKey(notifications[place].notification)
        notifications[place].sentKey = key
        sentMemory.sent(key, birth: notifications[place].birth)
        guard sentMemory.isFull else { return }
        sentMemory.forgetOlder(
            but: notifications.indices.compactMap { notifications[$0].sentKey })
    }

    static func sentKey(_ notification: borrowing Notification) -> UInt64 {
        var hash = FNVHash()
        hash.add(notification.deviceToken)
        hash.add(notification.collapseID)
        return hash.value
    }

    /// A number that rises with every push: its upper bits are the time on the wall.
    mutating func nextBirth() -> UInt64 {
        lastBirth = max(lastBirth + 1, UInt64(max(0, wallClock)) << 20)
        return lastBirth
    }
}

/// Devices that Apple wants to be left alone for a while.
extension WorkerCore {
    /// Apple has had too much for a device: what comes later for it waits as long, too.
    mutating func throttle(deviceOf place: Int, until end: UInt64) {
        throttled.hold(Self.deviceKey(notifications[place].notification), until: end, now: now)
    }

    /// Until when its device is to be left alone; nil when it may be sent.
    func throttleEnd(_ place: Int) -> UInt64? {
        guard !throttled.isEmpty else { return nil }
        return throttled.end(of: Self.deviceKey(notifications[place].notification), now: now)
    }

    /// Parks what waits for its device, and a little longer, so that not all of it goes at once.
    mutating func waitForDevice(_ place: Int, until end: UInt64) {
        let jitter = settings.retry.delay(afterAttempts: 1, random: chance.next())
        wait(place, Int64((end - now + 999_999) / 1_000_000) + jitter)
    }

    /// When the rate of its device lets it go; nil where there is none.
    func nextForDevice(_ place: Int) -> UInt64? {
        guard let deviceRates else { return nil }
        return deviceRates.next(Self.deviceKey(notifications[place].notification))
    }

    /// Counts what is sent for the rate of its device.
    mutating func countForDevice(_ place: Int) {
        guard deviceRates != nil else { return }
        deviceRates?.take(Self.deviceKey(notifications[place].notification), now: now)
    }

    private static func deviceKey(_ notification: borrowing Notification) -> UInt64 {
        var hash = FNVHash()
        hash.add(notification.deviceToken)
        return hash.value
    }
}
