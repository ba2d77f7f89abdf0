internal import Configuration
internal import Delivery
internal import EventLoop

/// What the mass-invalidation guard asks again where nothing else is left to probe with, so that
/// a line whose verdicts take all the room, or whose topic went quiet, does not stand still.
extension WorkerCore {
    /// Sends pushes once more whose verdicts are kept: Apple refused them, so that no device shows
    /// them twice.
    mutating func askAgain() {
        for app in lines.indices
        where lines[app].ready.count == 0 && lines[app].kept.count > 0
            && lines[app].invalidation.wantsRepeats(now: now) {
            askAgain(app)
        }
    }

    private mutating func askAgain(_ app: Int) {
        var wanted = lines[app].invalidation.takeRepeats()
        for _ in 0..<lines[app].kept.count where wanted > 0 {
            guard let place = lines[app].kept.popFirst() else { return }
            guard notifications[place].stage == .guarded,
                notifications[place].notification.app == app
            else { continue }
            let key = rowKey(of: place)
            guard mayBeAskedAgain(place, key) else {
                lines[app].kept.append(place)
                continue
            }
            askAgain(place, key)
            wanted -= 1
        }
    }

    private func rowKey(of place: Int) -> UInt64? {
        let record = notifications[place].record
        return DeliveryOrder.key(
            settings.ordering, notifications[place].assignment, notifications[place].notification,
            of: records[record].record)
    }

    /// False when it has expired, or when a later push of its row has gone or is about to go.
    private func mayBeAskedAgain(_ place: Int, _ key: UInt64?) -> Bool {
        guard !notifications[place].notification.isExpired(at: wallClock) else { return false }
        guard let key else { return true }
        let app = notifications[place].notification.app
        return order.isEmpty(key: key)
            && lines[app].sentWhileHeld[key] ?? 0 <= notifications[place].birth
    }

    private mutating func askAgain(_ place: Int, _ key: UInt64?) {
        notifications[place].lastStatus = notifications[place].outcome?.status
        notifications[place].lastReason = notifications[place].outcome?.reason
        notifications[place].outcome = nil
        notifications[place].owed = []
        notifications[place].unregisteredAt = nil
        notifications[place].isAskedAgain = true
        counters.rejected -= 1
        if let key {
            notifications[place].key = key
            _ = order.add(place, key: key)
        }
        makeReady(place)
    }

    /// What is sent while the guard holds goes past what it keeps of the same row.
    mutating func noteSentWhileHeld(_ place: Int) {
        guard let key = notifications[place].key else { return }
        let app = notifications[place].notification.app
        let newest = lines[app].sentWhileHeld[key] ?? 0
        lines[app].sentWhileHeld[key] = max(newest, notifications[place].birth)
    }

    /// The guard holds a line from now on: what is on its way has gone past what will be kept.
    mutating func startKeeping(_ app: Int) {
        lines[app].sentWhileHeld = [:]
        guard settings.ordering != .none else { return }
        for place in notifications.indices
        where notifications[place].stage == .sent && notifications[place].notification.app == app {
            noteSentWhileHeld(place)
        }
    }
}
