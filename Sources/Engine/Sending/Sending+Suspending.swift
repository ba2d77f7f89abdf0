internal import APNs
internal import Delivery

/// What suspends sending for an app, and what resumes it.
extension Sending {
    /// Sending has resumed for some apps.
    struct Resumption {
        var apps: [AppID]
        var since: Instant
    }

    // MARK: What is suspended

    /// True when a fault of the credential, the app or its device tokens suspends sending.
    func isSuspended(_ app: AppID) -> Bool { queues.isSuspended(app) }

    /// True when something suspends an app that does not suspend all of its route.
    func isSuspendedAlone(_ app: AppID) -> Bool { queues[app].isSuspended }

    /// True when a fault suspends any app.
    var isAnySuspended: Bool { queues.isAnySuspended }

    /// Since when sending has been suspended or paused for an app; nil when it is not.
    func heldSince(_ app: AppID) -> Instant? { queues.heldSince(app) }

    /// How much of the time from `start` to `now` sending was suspended or paused for an app.
    func suspendedTime(of app: AppID, from start: Instant, to now: Instant) -> Duration {
        queues.suspendedTime(of: app, from: start, to: now)
    }

    /// How much of that time is in suspensions that have ended and been noted.
    func notedSuspensions(of app: AppID, from start: Instant, to now: Instant) -> Duration {
        queues[app].suspensions.duration(from: start, to: now, ongoing: nil)
    }

    /// Sending was suspended for these apps until now.
    mutating func noteSuspensions(of apps: [AppID], from since: Instant, to now: Instant) {
        for app in apps { queues[app].suspensions.add(from: since, to: now) }
    }

    /// The state of an app for which sending is suspended.
    func suspension(of app: AppID, now: Instant) -> EngineState.SuspendedApp {
        var suspended = EngineState.SuspendedApp("")
        suspended.duration = queues.suspendedSince(app).map { $0.duration(to: now) } ?? .zero
        suspended.isGuarded = queues[app].invalidation.isEngaged
        if isRefused(app) { suspended.refusal = queues[app].refusal }
        return suspended
    }

    /// True while APNs does not accept pushes of an app: each that is sent is a probe.
    func isRefused(_ app: AppID) -> Bool {
        queues[app].breaker.isOpen || queues[breakerOf: app].isOpen
    }

    // MARK: Credentials

    /// APNs has accepted another credential on a route.
    mutating func adopt(_ credential: CredentialVersion, route: Int) {
        for app in queues.apps(of: route) { queues[app].isOwnTopicProven = false }
        queues.adopt(credential, route: route)
    }

    /// True when the credential of an app was replaced: a response to it says nothing about the
    /// current one.
    func isReplaced(_ credential: CredentialVersion, of app: AppID) -> Bool {
        queues.isReplaced(credential, route: queues[app].route)
    }

    /// What was rejected has been replaced: the next probe is sent soon.
    mutating func credentialOffered(route: Int, now: Instant) {
        let apps = queues.apps(of: route)
        guard let first = apps.first else { return }
        queues[breakerOf: first].startAnew(now: now)
        for app in apps { queues[app].breaker.startAnew(now: now) }
    }

    /// APNs has closed a connection because of the credential of a route; true when that suspends
    /// sending.
    mutating func credentialRefused(
        route: Int, _ credential: CredentialVersion, now: Instant
    ) -> Bool {
        guard !queues.isReplaced(credential, route: route),
            let app = queues.apps(of: route).first, queues[breakerOf: app].refused(nil, now: now)
        else { return false }
        queues.refusedRoutes.append(route)
        return true
    }

    /// APNs has refused the credential of an app, which may have been revoked.
    mutating func noteRefusedCredential(of app: AppID) {
        queues.refusedRoutes.append(queues[app].route)
    }

    /// The routes whose credentials APNs has refused since the last call.
    mutating func takeRefusedRoutes() -> [Int] {
        guard !queues.refusedRoutes.isEmpty else { return [] }
        defer { queues.refusedRoutes = [] }
        return queues.refusedRoutes
    }

    // MARK: Circuit breakers

    /// APNs has refused a push together with its app, or with all apps of its route; true when that
    /// suspends sending.
    mutating func refuse(
        _ id: PushID, of app: AppID, withRoute isForRoute: Bool, now: Instant
    ) -> Bool {
        if isForRoute {
            queues[app].breaker.learnedNothing(from: id, now: now)
            return queues[breakerOf: app].refused(id, now: now)
        }
        queues[breakerOf: app].learnedNothing(from: id, now: now)
        return queues[app].breaker.refused(id, now: now)
    }

    /// Why sending is suspended for these apps.
    mutating func note(_ refusal: EngineState.Refusal, for apps: [AppID]) {
        for app in apps { queues[app].refusal = refusal }
    }

    /// A response that proves the credential valid: returns what has resumed.
    mutating func proven(by id: PushID, of app: AppID, now: Instant) -> [Resumption] {
        var resumed: [Resumption] = []
        if queues[breakerOf: app].isOpen,
            let since = queues[breakerOf: app].proven(by: id, now: now)
        {
            resumed.append(Resumption(apps: apps(onRouteOf: app), since: since))
        }
        if queues[app].breaker.isOpen, let since = queues[app].breaker.proven(by: id, now: now) {
            resumed.append(Resumption(apps: [app], since: since))
        }
        for resumption in resumed {
            for app in resumption.apps { queues[app].pushes.resume() }
        }
        return resumed
    }

    /// A request finished without a response about the credential.
    mutating func learnedNothing(from id: PushID, of app: AppID, now: Instant) {
        queues[breakerOf: app].learnedNothing(from: id, now: now)
        queues[app].breaker.learnedNothing(from: id, now: now)
    }

    /// APNs has accepted a push.
    mutating func accepted(_ app: AppID, now: Instant) { queues[app].lastAccepted = now }

    /// True when APNs has accepted a push of an app of that route since a moment; for the queue of
    /// an app's broadcasts, a broadcast.
    func hasAccepted(onRouteOf app: AppID, since moment: Instant) -> Bool {
        let isForBroadcasts = queues.isForBroadcasts(app)
        return apps(onRouteOf: app).contains {
            queues.isForBroadcasts($0) == isForBroadcasts && queues[$0].lastAccepted >= moment
        }
    }

    // MARK: An operator's pause

    /// Nothing is sent from now on.
    mutating func pause(now: Instant) { queues.pausedSince = now }

    /// Sending continues: since when it was paused; nil when it was not.
    mutating func resume() -> Instant? {
        guard let since = queues.pausedSince else { return nil }
        queues.pausedSince = nil
        queues.startTurn()
        queues.headsChanged = true
        return since
    }
}
