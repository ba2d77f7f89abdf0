internal import Delivery

/// What the mass-invalidation guard of each app knows and withholds.
extension Sending {
    /// True when a response counts that shows whether a device token is valid.
    func counts(isProbe: Bool, of app: AppID) -> Bool {
        queues[app].invalidation.counts(isProbe: isProbe)
    }

    /// APNs has said whether a device token is valid.
    mutating func judged(
        _ device: UInt64, isBad: Bool, isProbe: Bool, of app: AppID, now: Instant
    ) -> InvalidationGuard.Change {
        let change = queues[app].invalidation.responded(
            device, isBad: isBad, isProbe: isProbe, now: now)
        if case .engaged = change { queues[app].sentWhileEngaged = [:] }
        return change
    }

    /// How many of so many responses may be bad.
    func limit(of count: InvalidationGuard.Count, _ app: AppID) -> Double {
        queues[app].invalidation.limit(of: count)
    }

    /// A probe of the guard finished without a response about its device token.
    mutating func guardProbeLearnedNothing(_ app: AppID) {
        queues[app].invalidation.probeLearnedNothing()
    }

    /// True while the guard withholds verdicts that blame device tokens.
    func isGuarded(_ app: AppID) -> Bool { queues[app].invalidation.isEngaged }

    /// An operator releases the guard: since when it was engaged; nil when it was not.
    mutating func releaseGuard(_ app: AppID) -> Instant? { queues[app].invalidation.release() }

    // MARK: Withheld verdicts

    /// A verdict is withheld.
    mutating func withhold(_ id: PushID, of app: AppID) { queues[app].withheld.append(id) }

    /// How many verdicts the guard withholds; verdicts left to other readers may still count.
    func withheldCount(_ app: AppID) -> Int { queues[app].withheld.count }

    /// Takes the push whose verdict has been withheld for longest; it may be done.
    mutating func takeWithheld(_ app: AppID) -> PushID? { queues[app].withheld.popFirst() }

    /// Removes references to verdicts that were left to other readers.
    mutating func forgetWithheld(_ pushes: borrowing PushTable) {
        for app in queues.apps where queues[app].withheld.count > 0 {
            queues[app].withheld.keep(.withheld, of: pushes)
        }
    }

    // MARK: Repeated pushes

    /// The apps of which pushes with withheld verdicts are sent again as probes, as there are no
    /// others.
    func appsToRepeat(now: Instant) -> [AppID] {
        queues.apps.filter {
            queues[$0].pushes.count == 0 && queues[$0].withheld.count > 0
                && queues[$0].invalidation.wantsRepeats(now: now)
        }
    }

    /// How many pushes are sent again.
    mutating func takeRepeats(_ app: AppID) -> Int { queues[app].invalidation.takeRepeats() }

    /// True when no later push of an ordering key was sent since the guard engaged, or is about to
    /// be.
    func isLast(_ sequence: UInt64, ofKey key: UInt64, _ app: AppID) -> Bool {
        orderingKeys.tail(of: key) == nil
            && queues[app].sentWhileEngaged[key] ?? 0 <= sequence
    }

    /// A push is sent while the guard is engaged: it may overtake withheld ones of its key.
    mutating func noteSentWhileEngaged(_ id: PushID, sequence: UInt64, of app: AppID) {
        guard let key = orderingKeys.key(of: id) else { return }
        let newest = queues[app].sentWhileEngaged[key] ?? 0
        queues[app].sentWhileEngaged[key] = max(newest, sequence)
    }
}
