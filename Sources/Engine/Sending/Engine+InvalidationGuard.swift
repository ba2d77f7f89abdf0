internal import APNs
internal import Configuration
internal import Delivery
internal import EventLoop
internal import JSON

/// What the mass-invalidation guard withholds, and when it is released.
extension Engine {
    /// Counts a response that shows whether its device token is valid.
    mutating func judgeTokens(by reaction: Reaction, _ id: PushID, _ flight: Push.InFlight) {
        // A broadcast says nothing about device tokens.
        guard !pushes[id].isBroadcast else { return }
        let isBad: Bool
        switch reaction {
        case .accepted: isBad = false
        // A 410 is how the token of a Live Activity or of a Push to Talk channel usually ends.
        case .unregistered where pushes[id].pushType.hasPassingTokens:
            return guardLearnedNothing(from: id, flight)
        case .unregistered, .suspect: isBad = true
        case .rejected, .retryNow, .retryOnce, .retryLater:
            return guardLearnedNothing(from: id, flight)
        // Callers that suspend sending report it to the guard.
        case .suspend, .notAPNs: return
        }
        let app = pushes[id].app
        guard sending.counts(isProbe: flight.isGuardProbe, of: app) else { return }
        let change = sending.judged(
            pushes.deviceKey(id), isBad: isBad, isProbe: flight.isGuardProbe, of: app, now: now)
        switch change {
        case .nothing: break
        case .engaged(let count):
            alarm(app, count)
            startWithholding(app)
            countQueuesAsWaiting(of: [app])
        case .released(let since):
            release(app, engagedSince: since, byOperator: false)
        }
    }

    private mutating func alarm(_ app: AppID, _ count: InvalidationGuard.Count) {
        let alarm = Notice.GuardAlarm(
            app: settings[app]?.name ?? "", bundleID: settings[app]?.bundleID ?? "",
            responses: count.all, bad: count.bad,
            limit: sending.limit(of: count, app), window: settings.invalidation.window)
        notices.append(.guardEngaged(alarm))
    }

    /// An operator confirms that the responses are correct, for the app with a name or for all;
    /// returns the number of guards that were engaged.
    @discardableResult
    package mutating func releaseGuards(of name: String? = nil) -> Int {
        var count = 0
        for app in sending.apps {
            if let name, settings[app]?.name != name { continue }
            guard let since = sending.releaseGuard(app) else { continue }
            release(app, engagedSince: since, byOperator: true)
            count += 1
        }
        return count
    }

    private mutating func release(
        _ app: AppID, engagedSince since: Instant, byOperator: Bool
    ) {
        notices.append(
            .guardReleased(
                app: settings[app]?.name ?? "", withheld: sending.withheldCount(app),
                byOperator: byOperator))
        allow([app], suspendedSince: since)
        while let id = sending.takeWithheld(app) {
            guard pushes.isCurrent(id), case .withheld(let report) = pushes[id].state else {
                continue
            }
            owe(id, report)
        }
    }

    /// The guard engages: verdicts that blame a device token and are not published are withheld,
    /// and pushes in flight overtake those withheld from now on.
    private mutating func startWithholding(_ app: AppID) {
        for slot in pushes.slotRange where pushes[slot].app == app {
            let id = pushes.id(of: slot)
            switch pushes[slot].state {
            case .inFlight: noteSentWhileEngaged(id)
            case .reporting(let report) where mustWithhold(report, app): withhold(id, report)
            case .new, .reporting, .blocked, .queued, .waiting, .withheld, .done: continue
            }
        }
    }

    /// True for a verdict that must not be published now because it blames its device token. If
    /// Kafka already has part of it, it is published, because that cannot be undone.
    mutating func mustWithhold(_ report: Push.Report, _ app: AppID) -> Bool {
        report.blamesToken && report.isUnpublished && intake.phase != .closed
            && sending.isGuarded(app)
    }

    /// True while its partition is owned and the worker is running.
    mutating func mayStay(_ id: PushID) -> Bool {
        intake.mayStay(pushes.assignment(of: id))
    }
}

extension PushType {
    /// True when its device tokens belong to something that passes, such as an activity: a 410 says
    /// that it has ended.
    var hasPassingTokens: Bool { self == .liveactivity || self == .pushtotalk }
}

/// The pushes that the mass-invalidation guard resends when it has no others to probe with, so that
/// an app does not stall when its withheld verdicts take up all room or its topic has no new
/// events.
extension Engine {
    /// Resends pushes whose verdicts are withheld. APNs rejected them, so no device shows them
    /// twice.
    mutating func repeatWithheld() {
        for app in sending.appsToRepeat(now: now) { repeatWithheld(of: app) }
    }

    private mutating func repeatWithheld(of app: AppID) {
        var wanted = sending.takeRepeats(app)
        for _ in 0..<sending.withheldCount(app) where wanted > 0 {
            guard let id = sending.takeWithheld(app) else { return }
            guard pushes.isCurrent(id), case .withheld(let report) = pushes[id].state else {
                continue
            }
            let key = orderingKey(of: id)
            guard mayBeRepeated(id, key) else {
                sending.withhold(id, of: app)
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
        pushes[record].stored.withDestination(pushes[id].content) {
            notification.destination.identifier.replace(with: $0)
        }
        pushes[record].stored.withCollapseID(pushes[id].content) {
            notification.collapseID.replace(with: $0)
        }
        return pushes[record].stored.withRecord {
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
        return sending.isLast(pushes[id].sequence, ofKey: key, pushes[id].app)
    }

    private mutating func sendAgain(_ id: PushID, _ report: Push.Report, _ key: UInt64?) {
        pushes.change(id) {
            $0.withdrawVerdict(status: report.status == 0 ? nil : Int(report.status))
        }
        counters.add(\.rejected, -1)
        if let key { _ = sending.addToOrder(id, key: key) }
        apply(.queued(.new), to: id)
    }

    /// Records a send while the guard is engaged, because it may overtake withheld pushes with the
    /// same key.
    mutating func noteSentWhileEngaged(_ id: PushID) {
        sending.noteSentWhileEngaged(id, sequence: pushes[id].sequence, of: pushes[id].app)
    }
}
