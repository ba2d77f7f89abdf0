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
        pushes.change(id) { $0.countSuspendedAttempt() }
        let app = pushes[id].app
        if pushes[id].isForOwnTopic { sending.ownTopicRefused(app) }
        // Pushes to devices go on, and find a fault of their credential themselves.
        let isForApp = row.scope == .app || pushes[id].isBroadcast
        let hasJustOpened = sending.refuse(id, of: app, withRoute: !isForApp, now: now)
        guardLearnedNothing(from: id, flight)
        if hasJustOpened { noteSuspension(by: id) }
        // To the back, so that the next probe is a different push, which APNs may accept.
        sendAfterOthers(id)
        guard hasJustOpened else { return }
        // An expired token has its connection replaced anyway.
        if row.scope == .credential, !row.replacesConnection {
            sending.noteRefusedCredential(of: app)
        }
        let apps = isForApp ? [app] : sending.apps(onRouteOf: app)
        alarm(apps, response, row)
        countQueuesAsWaiting(of: apps)
    }

    /// APNs has closed a connection because of the credential of a route.
    package mutating func credentialRefused(
        route: Int, reason: String, signedWith credential: CredentialVersion = .first
    ) {
        guard sending.credentialRefused(route: route, credential, now: now) else { return }
        let apps = sending.apps(of: route)
        // A GOAWAY has no status; its reasons are those that come with 403.
        alarm(
            apps, "GOAWAY \(reason)", .goAway(reason: reason),
            ReasonTable.row(status: 403, reason: reason))
        countQueuesAsWaiting(of: apps)
    }

    /// True when a push that is sent now finds out whether APNs accepts those of its app again.
    package mutating func isProbe(_ id: PushID) -> Bool { sending.isRefused(pushes[id].app) }

    /// The routes whose credentials APNs has refused since the last call, and which had been in
    /// use: they may have been revoked.
    package mutating func takeRefusedRoutes() -> [Int] { sending.takeRefusedRoutes() }

    /// What was rejected has been replaced: the next probe is sent soon.
    package mutating func credentialOffered(route: Int) {
        sending.credentialOffered(route: route, now: now)
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
        sending.note(EngineState.Refusal(response, meaning: meaning), for: apps)
        var bundleIDs: [String] = []
        for app in known where !bundleIDs.contains(app.bundleID) { bundleIDs.append(app.bundleID) }
        notices.append(
            .suspended(
                Notice.Suspension(
                    cause: cause, apps: settings.names(of: apps), bundleIDs: bundleIDs,
                    credential: known.first?.credential ?? "", meaning: meaning,
                    fix: row.fix(for: known.first?.credentialKind ?? .key))))
    }

    /// A response that proves the credential valid.
    mutating func proven(by id: PushID) {
        guard sending.isRefused(pushes[id].app) else { return }
        for resumed in sending.proven(by: id, of: pushes[id].app, now: now) {
            notices.append(.resumed(apps: settings.names(of: resumed.apps)))
            allow(resumed.apps, suspendedSince: resumed.since)
        }
    }

    /// A request finished without a response about the credential or the device token.
    mutating func learnedNothing(from id: PushID, _ flight: Push.InFlight) {
        breakersLearnedNothing(from: id)
        guardLearnedNothing(from: id, flight)
    }

    /// A request finished without a response about the credential.
    mutating func breakersLearnedNothing(from id: PushID) {
        sending.learnedNothing(from: id, of: pushes[id].app, now: now)
    }

    mutating func guardLearnedNothing(from id: PushID, _ flight: Push.InFlight) {
        if flight.isGuardProbe { sending.guardProbeLearnedNothing(pushes[id].app) }
    }

    /// Sending resumes for these apps: the time for which it was suspended does not count towards
    /// any push's deadline.
    mutating func allow(_ apps: [AppID], suspendedSince since: Instant) {
        resumePartitions(of: apps.filter { !sending.isSuspended($0) })
        for slot in pushes.slotRange where pushes[slot].state.kind != .done {
            let app = pushes[slot].app
            guard apps.contains(app) else { continue }
            let start = max(pushes[slot].takenAt, since)
            // Where two faults overlap, their common time counts once.
            let noted = sending.notedSuspensions(of: app, from: start, to: now)
            pushes[slot].postpone(by: start.duration(to: now) - noted)
        }
        sending.noteSuspensions(of: apps, from: since, to: now)
    }
}
