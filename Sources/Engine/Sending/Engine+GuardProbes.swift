internal import Configuration
internal import Delivery
internal import EventLoop
internal import JSON

/// The pushes that the mass-invalidation guard resends when it has no others to probe with, so that
/// an app does not stall when its withheld verdicts take up all room or its topic has no new
/// events.
extension Engine {
    /// Resends pushes whose verdicts are withheld. APNs rejected them, so no device shows them
    /// twice.
    mutating func repeatWithheld() {
        for app in queues.apps
        where queues[app].pushes.count == 0 && queues[app].withheld.count > 0
            && queues[app].invalidation.wantsRepeats(now: now) {
            repeatWithheld(of: app)
        }
    }

    private mutating func repeatWithheld(of app: AppID) {
        var wanted = queues[app].invalidation.takeRepeats()
        for _ in 0..<queues[app].withheld.count where wanted > 0 {
            guard let id = queues[app].withheld.popFirst() else { return }
            guard pushes.isCurrent(id), case .withheld(let report) = pushes[id].state else {
                continue
            }
            let key = orderingKey(of: id)
            guard mayBeRepeated(id, key) else {
                queues[app].withheld.append(id)
                continue
            }
            sendAgain(id, report, key)
            wanted -= 1
        }
    }

    private func orderingKey(of id: PushID) -> UInt64? {
        guard settings.ordering != .none else { return nil }
        let record = pushes[id].record
        var notification = Notification()
        records[record.slot].stored.withToken(pushes[id].content) {
            notification.deviceToken.replace(with: $0)
        }
        records[record.slot].stored.withCollapseID(pushes[id].content) {
            notification.collapseID.replace(with: $0)
        }
        return records[record.slot].stored.withRecord {
            OrderingKeys.key(settings.ordering, $0.assignment, notification, of: $0)
        }
    }

    /// False when the push has expired, when a later push of its ordering key was sent or is about
    /// to be, or when a newer one with its collapse ID was sent.
    private mutating func mayBeRepeated(_ id: PushID, _ key: UInt64?) -> Bool {
        guard !pushes[id].isExpired(at: wallClock), newerPush(than: id) == nil else {
            return false
        }
        guard let key else { return true }
        return orderingKeys.tail(of: key) == nil
            && queues[pushes[id].app].sentWhileEngaged[key] ?? 0 <= pushes[id].birth
    }

    private mutating func sendAgain(_ id: PushID, _ report: Push.Report, _ key: UInt64?) {
        pushes.change(id) { details in
            details.lastStatus = report.status == 0 ? nil : Int(report.status)
            details.lastReason = details.reason
            details.reason = nil
            details.unregisteredAt = nil
            details.isRepeatedProbe = true
        }
        counters.rejected -= 1
        if let key { _ = orderingKeys.add(id, key: key) }
        apply(.queued(.new), to: id)
    }

    /// Records a send while the guard is engaged, because it may overtake withheld pushes with the
    /// same key.
    mutating func noteSentWhileEngaged(_ id: PushID) {
        guard let key = orderingKeys.key(of: id) else { return }
        let app = pushes[id].app
        let newest = queues[app].sentWhileEngaged[key] ?? 0
        queues[app].sentWhileEngaged[key] = max(newest, pushes[id].birth)
    }
}
