internal import APNs
internal import Configuration
internal import Delivery
internal import EventLoop

/// What the mass-invalidation guard keeps back, and when it lets go.
extension WorkerCore {
    /// Counts an answer that says whether its device token is good.
    mutating func judgeTokens(by reaction: Reaction, _ place: Int) {
        let isBad: Bool
        switch reaction {
        case .accepted: isBad = false
        case .unregistered, .suspect: isBad = true
        case .rejected: return guardLearnedNothing(from: place)
        case .suspend, .notAPNs, .retryNow, .retryOnce, .retryLater: return
        }
        let app = notifications[place].notification.app
        let isProbe = notifications[place].isProbe
        switch lines[app].invalidation.answered(isBad: isBad, isProbe: isProbe, now: now) {
        case .nothing: break
        case .held(let count):
            alarm(app, count)
            startKeeping(app)
            setLinesAside([app])
        case .released(let since):
            letGo(app, heldSince: since, "a probe of device tokens came out well; the line goes on")
        }
    }

    private mutating func alarm(_ app: Int, _ count: MassInvalidationGuard.Count) {
        let limits = settings.invalidation
        notices.append(
            Notice(
                .error, "the line is held: too many device tokens are called dead or suspect",
                [
                    ("apps", settings.apps[app].name),
                    ("bundle_id", settings.apps[app].bundleID),
                    ("answers", String(count.all)), ("dead_or_suspect", String(count.bad)),
                    ("limit", String(limits.share)),
                    ("window_seconds", String(limits.windowNanoseconds / 1_000_000_000)),
                    (
                        "what",
                        "check bundle_id, environment and where the tokens come from; no token"
                            + " is called unregistered meanwhile; send SIGUSR1 if it is true, or"
                            + " wait: 20 tokens are probed now and then"
                    ),
                ]))
    }

    /// An operator says that the answers are true.
    mutating func overruleGuards() {
        for app in lines.indices {
            guard let since = lines[app].invalidation.overrule() else { continue }
            letGo(app, heldSince: since, "the guard was told to let go; the line goes on")
        }
    }

    private mutating func letGo(_ app: Int, heldSince since: UInt64, _ message: String) {
        notices.append(
            Notice(
                .warning, message,
                [
                    ("apps", settings.apps[app].name),
                    ("answers_kept", String(lines[app].kept.count)),
                ]))
        allow([app], heldSince: since)
        while let place = lines[app].kept.popFirst() {
            let isStillKept = notifications[place].stage == .guarded
            if isStillKept, notifications[place].notification.app == app { tell(guarded: place) }
        }
    }

    mutating func tell(guarded place: Int) {
        notifications[place].stage = .reporting
        reports.append(place)
    }

    /// True for a verdict that is not to be told now: it would call a device token dead or suspect.
    func isToBeGuarded(_ place: Int) -> Bool {
        guard
            notifications[place].owed.contains(.unregistered)
                || notifications[place].outcome?.isSuspect == true
        else { return false }
        let app = notifications[place].notification.app
        guard lines[app].invalidation.isHolding, !isClosing else { return false }
        // What Kafka has in hand already goes on: it cannot be let go of.
        return notifications[place].stage == .reporting && notifications[place].isUntold
    }

    /// Keeps a verdict until the guard lets go; who reads its record next makes it anew.
    mutating func keepBack(_ place: Int) {
        guard mayStay(place) else { return abandon(notification: place) }
        records[notifications[place].record].detach()
        notifications[place].stage = .guarded
        if lines.count > 1, !parkedWindow.isFilled(8, to: 7) { setAside(place) }
        lines[notifications[place].notification.app].kept.append(place)
    }

    /// True while its partition is ours and nothing is about to end.
    private func mayStay(_ place: Int) -> Bool {
        guard let index = partitions.index(of: notifications[place].assignment) else {
            return false
        }
        switch partitions[index].state {
        case .owned: return !isDraining
        case .replaced: return true
        case .revoking, .committing: return false
        }
    }

    /// Forgets the places of verdicts that were let go of.
    mutating func forgetGuarded() {
        let known = notifications
        for app in lines.indices where lines[app].kept.count > 0 {
            lines[app].kept.keep {
                known[$0].stage == .guarded && known[$0].notification.app == app
            }
        }
    }
}
