package import APNs
internal import Delivery

/// What suspends sending for an app, and what resumes it.
extension Engine {
    /// APNs rejected the credential, or its permission to push to the app: the attempt does not
    /// count, and nothing is lost.
    mutating func suspend(
        _ id: PushID, _ response: APNsResponse, _ row: ReasonRow, _ flight: Push.InFlight
    ) {
        remember(response, id)
        guard !isItselfAtFault(id, row) else {
            learnedNothing(from: id, flight)
            return rejected(id, response, owing: .deadLetter)
        }
        pushes.change(id) { $0.suspendedAttempts += 1 }
        let app = pushes[id].app
        if isForOwnTopic(id) { queues[app].isOwnTopicProven = false }
        let isForApp = row.scope == .app
        let hasJustOpened: Bool
        if isForApp {
            hasJustOpened = queues[app].breaker.refused(id, now: now)
            queues[breakerOf: app].learnedNothing(from: id, now: now)
        } else {
            hasJustOpened = queues[breakerOf: app].refused(id, now: now)
            queues[app].breaker.learnedNothing(from: id, now: now)
        }
        guardLearnedNothing(from: id, flight)
        if hasJustOpened { noteSuspension(by: id) }
        // To the back, so that the next probe is a different push, which APNs may accept.
        sendAfterOthers(id)
        guard hasJustOpened else { return }
        // An expired token has its connection replaced anyway.
        if row.scope == .credential, !row.replacesConnection {
            queues.refusedRoutes.append(queues[app].route)
        }
        let apps = isForApp ? [app] : queues.apps(of: queues[app].route)
        alarm(apps, response, row)
        countQueuesAsWaiting(of: apps)
    }

    /// APNs has closed a connection because of the credential of a route.
    package mutating func credentialRefused(
        route: Int, reason: String, signedWith credential: CredentialVersion = .first
    ) {
        guard !queues.isReplaced(credential, route: route) else { return }
        let apps = queues.apps(of: route)
        guard let app = apps.first, queues[breakerOf: app].refused(nil, now: now) else { return }
        queues.refusedRoutes.append(route)
        // A GOAWAY has no status; its reasons are those that come with 403.
        alarm(
            apps, "GOAWAY \(reason)", .goAway(reason: reason),
            ReasonTable.row(status: 403, reason: reason))
        countQueuesAsWaiting(of: apps)
    }

    /// True when a push that is sent now finds out whether APNs accepts those of its app again.
    package mutating func isProbe(_ id: PushID) -> Bool {
        let app = pushes[id].app
        return queues[app].breaker.isOpen || queues[breakerOf: app].isOpen
    }

    /// The routes whose credentials APNs has refused since the last call, and which had been in
    /// use: they may have been revoked.
    package mutating func takeRefusedRoutes() -> [Int] {
        guard !queues.refusedRoutes.isEmpty else { return [] }
        defer { queues.refusedRoutes = [] }
        return queues.refusedRoutes
    }

    /// What was rejected has been replaced: the next probe is sent soon.
    package mutating func credentialOffered(route: Int) {
        let apps = queues.apps(of: route)
        guard let first = apps.first else { return }
        queues[breakerOf: first].startAnew(now: now)
        for app in apps { queues[app].breaker.startAnew(now: now) }
    }

    mutating func alarm(_ apps: [AppID], _ response: APNsResponse, _ row: ReasonRow) {
        let (status, reason) = (response.status, response.reason)
        alarm(
            apps, reason.isEmpty ? "\(status)" : "\(status) \(reason)",
            row.reaction == .notAPNs
                ? .foreign(status: status, reason: reason)
                : .response(status: status, reason: reason), row)
    }

    private mutating func alarm(
        _ apps: [AppID], _ response: String, _ cause: Notice.Suspension.Cause, _ row: ReasonRow
    ) {
        let known = apps.compactMap { settings[$0] }
        let meaning = row.meaning(for: known.first?.credentialKind ?? .key)
        for app in apps { queues[app].refusal = .init(response, meaning: meaning) }
        var bundleIDs: [String] = []
        for app in known where !bundleIDs.contains(app.bundleID) { bundleIDs.append(app.bundleID) }
        notices.append(
            .suspended(
                Notice.Suspension(
                    cause: cause, apps: known.map(\.name), bundleIDs: bundleIDs,
                    credential: known.first?.credential ?? "", meaning: meaning,
                    fix: row.fix(for: known.first?.credentialKind ?? .key))))
    }

    /// A response that proves the credential valid.
    mutating func proven(by id: PushID) {
        let app = pushes[id].app
        if queues[breakerOf: app].isOpen,
            let since = queues[breakerOf: app].proven(by: id, now: now) {
            resume(queues.apps(of: queues[app].route), suspendedSince: since)
        }
        if queues[app].breaker.isOpen, let since = queues[app].breaker.proven(by: id, now: now) {
            resume([app], suspendedSince: since)
        }
    }

    /// A request finished without a response about the credential or the device token.
    mutating func learnedNothing(from id: PushID, _ flight: Push.InFlight) {
        breakersLearnedNothing(from: id)
        guardLearnedNothing(from: id, flight)
    }

    /// A request finished without a response about the credential.
    mutating func breakersLearnedNothing(from id: PushID) {
        let app = pushes[id].app
        queues[breakerOf: app].learnedNothing(from: id, now: now)
        queues[app].breaker.learnedNothing(from: id, now: now)
    }

    mutating func guardLearnedNothing(from id: PushID, _ flight: Push.InFlight) {
        guard flight.isGuardProbe else { return }
        queues[pushes[id].app].invalidation.probeLearnedNothing()
    }

    private mutating func resume(_ apps: [AppID], suspendedSince since: Instant) {
        notices.append(.resumed(apps: apps.compactMap { settings[$0]?.name }))
        for app in apps { queues[app].pushes.resume() }
        allow(apps, suspendedSince: since)
    }

    /// Sending resumes for these apps: the time for which it was suspended does not count towards
    /// any push's deadline.
    mutating func allow(_ apps: [AppID], suspendedSince since: Instant) {
        resumePartitions(of: apps.filter { !queues.isSuspended($0) })
        for slot in pushes.slotRange where pushes[slot].state.kind != .done {
            guard apps.contains(pushes[slot].app) else { continue }
            let start = max(pushes[slot].takenAt, since)
            // Where two faults overlap, their common time counts once.
            let known = queues[pushes[slot].app].suspensions
                .duration(from: start, to: now, ongoing: nil)
            pushes[slot].takenAt = pushes[slot].takenAt + (start.duration(to: now) - known)
        }
        for app in apps { queues[app].suspensions.add(from: since, to: now) }
    }
}
