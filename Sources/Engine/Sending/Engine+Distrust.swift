internal import APNs
internal import Delivery

/// Responses that APNs never sends: they come from a gateway or a captive portal.
extension Engine {
    /// A push that gets the same such response this often, while others are accepted, is itself the
    /// cause.
    private static var maxForeign: Int { 3 }

    /// Suspends sending on the route and ignores what the response says about the push. Each probe
    /// is a different push, so that one that is too large for a gateway does not suspend an app for
    /// long.
    mutating func distrust(
        _ id: PushID, _ response: APNsResponse, _ row: ReasonRow, _ flight: Push.InFlight
    ) {
        remember(response, id)
        guard !isItselfTheCause(id, response.status) else {
            learnedNothing(from: id, flight)
            return end(id, response, row)
        }
        let app = pushes[id].app
        // A gateway may know pushes to devices, and no broadcasts.
        let isForRoute = !pushes[id].isBroadcast
        let hasJustOpened = sending.refuse(id, of: app, withRoute: isForRoute, now: now)
        guardLearnedNothing(from: id, flight)
        if hasJustOpened { noteSuspension(by: id) }
        if row.isInDoubt {
            doubt(id, reason: row.meaning)
        } else {
            pushes.change(id) { $0.countSuspendedAttempt() }
            sendAfterOthers(id)
        }
        guard hasJustOpened else { return }
        let apps = isForRoute ? sending.apps(onRouteOf: app) : [app]
        alarm(apps, response, row)
        countQueuesAsWaiting(of: apps)
    }

    /// Counts responses with the same status; true at the third, if others were accepted meanwhile.
    private mutating func isItselfTheCause(_ id: PushID, _ status: Int) -> Bool {
        let now = now
        let foreign = pushes.change(id) { details in
            if details.foreign?.status == status {
                details.foreign?.count += 1
            } else {
                details.foreign = ForeignResponses(status: status, count: 1, since: now)
            }
            return details.foreign
        }
        guard let foreign, foreign.count >= Self.maxForeign else { return false }
        return sending.hasAccepted(onRouteOf: pushes[id].app, since: foreign.since)
    }

    private mutating func end(_ id: PushID, _ response: APNsResponse, _ row: ReasonRow) {
        if row.isInDoubt, pushes[details: id].doubt == nil {
            pushes.change(id) { $0.noteDoubt(row.meaning) }
        }
        guard pushes[details: id].doubt == nil else { return reportDoubt(id) }
        finish(
            id, .rejected, status: response.status,
            reason: response.reason.isEmpty ? nil : response.reason, owing: .deadLetter)
    }
}
