internal import APNs
internal import Delivery

/// What holds the line of an app, and what lets it go on.
extension WorkerCore {
    /// Apple has refused the credential, or its right to push to the app: nothing is used up, and
    /// nothing is lost.
    mutating func holdLine(_ place: Int, _ answer: APNsResponse) {
        remember(answer, place)
        notifications[place].heldAttempts += 1
        let app = notifications[place].notification.app
        let isForApp = answer.row.scope == .app
        let hasJustOpened: Bool
        if isForApp {
            hasJustOpened = lines[app].breaker.refused(place, now: now)
            lines[breakerOf: app].learnedNothing(from: place, now: now)
        } else {
            hasJustOpened = lines[breakerOf: app].refused(place, now: now)
            lines[app].breaker.learnedNothing(from: place, now: now)
        }
        guardLearnedNothing(from: place)
        // To the back: another probe may be one that Apple takes.
        if mayGoOn(place) { makeReady(place) } else { abandon(notification: place) }
        guard hasJustOpened else { return }
        let apps = isForApp ? [app] : lines.apps(of: settings.apps[app].route)
        alarm(apps, [("status", String(answer.status)), ("reason", answer.reason)], answer)
        setLinesAside(apps)
    }

    /// Apple has said goodbye on a connection because of the credential of a route.
    mutating func credentialRefused(route: Int, reason: String) {
        let apps = lines.apps(of: route)
        guard let app = apps.first, lines[breakerOf: app].refused(nil, now: now) else { return }
        // A GOAWAY has no status: its reason is one of those that come with 403.
        alarm(
            apps, [("frame", "GOAWAY"), ("reason", reason)],
            APNsResponse(status: 403, reason: reason))
        setLinesAside(apps)
    }

    /// What was refused has been replaced: nobody is to wait for a slow probe.
    mutating func credentialOffered(route: Int) {
        let apps = lines.apps(of: route)
        guard let first = apps.first else { return }
        lines[breakerOf: first].startAnew(now: now)
        for app in apps { lines[app].breaker.startAnew(now: now) }
    }

    private mutating func alarm(
        _ apps: [Int], _ said: [(name: String, value: String)], _ answer: APNsResponse
    ) {
        let known = apps.map { settings.apps[$0] }
        let meaning = answer.row.meaning(for: known.first?.credentialKind ?? .key)
        notices.append(
            Notice(
                .error, "the line is held: APNs refuses the credential or its configuration",
                said + [
                    ("apps", Self.list(known.map(\.name))),
                    ("bundle_id", Self.list(known.map(\.bundleID))),
                    ("credential", known.first?.credential ?? ""), ("meaning", meaning),
                    (
                        "what",
                        "mend it; offsets are kept, nothing is lost, other apps go on; a probe"
                            + " tells when the line is free"
                    ),
                ]))
    }

    private static func list(_ names: [String]) -> String {
        var seen: [String] = []
        for name in names where !seen.contains(name) { seen.append(name) }
        return seen.joined(separator: " ")
    }

    /// An answer that only a credential which is in order gets.
    mutating func proven(by place: Int) {
        let app = notifications[place].notification.app
        if let since = lines[breakerOf: app].proven(by: place, now: now) {
            goOn(lines.apps(of: settings.apps[app].route), heldSince: since)
        }
        if let since = lines[app].breaker.proven(by: place, now: now) {
            goOn([app], heldSince: since)
        }
    }

    /// It ended without an answer that tells of the credential or of its device token.
    mutating func learnedNothing(from place: Int) {
        let app = notifications[place].notification.app
        lines[breakerOf: app].learnedNothing(from: place, now: now)
        lines[app].breaker.learnedNothing(from: place, now: now)
        guardLearnedNothing(from: place)
    }

    mutating func guardLearnedNothing(from place: Int) {
        guard notifications[place].isProbe else { return }
        lines[notifications[place].notification.app].invalidation.probeLearnedNothing()
    }

    private mutating func goOn(_ apps: [Int], heldSince since: UInt64) {
        notices.append(
            Notice(
                .info, "APNs takes pushes again; the line goes on",
                [("apps", Self.list(apps.map { settings.apps[$0].name }))]))
        allow(apps, heldSince: since)
    }

    /// The lines of these apps are free: the time for which they were held counts for no
    /// notification.
    mutating func allow(_ apps: [Int], heldSince since: UInt64) {
        resumePartitions(heldBy: apps.filter { !lines.isHeld($0) })
        for place in notifications.indices where notifications[place].stage != .free {
            guard apps.contains(notifications[place].notification.app) else { continue }
            let takenAt = notifications[place].takenAt
            notifications[place].takenAt = takenAt + (now - max(takenAt, since))
        }
    }
}
