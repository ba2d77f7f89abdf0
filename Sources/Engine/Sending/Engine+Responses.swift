package import APNs
internal import Delivery
internal import Encoding
internal import EventLoop

/// What becomes of a push whose request is over, however it ended.
extension Engine {
    /// APNs has responded to a request that was signed with one of its route's credentials.
    package mutating func responded(
        _ id: PushID, _ response: APNsResponse, signedWith credential: CredentialVersion = .first
    ) {
        guard let flight = endRequest(id) else { return }
        let row = response.row
        let isReplaced = queues.isReplaced(credential, route: queues[pushes[id].app].route)
        adapt(id, isBusy: row.isBusy)
        pushes[id].respondedAt = wallClock
        if pushes.hasDetails(id) { pushes.change(id) { $0.refusals = 0 } }
        var reaction = row.reaction
        if reaction == .retryOnce, pushes[details: id].wasRetriedOnce { reaction = .suspend }
        if response.status != 200 { noteUnexpected(response, row) }
        if row.provesCredential, !isReplaced {
            proven(by: id)
        } else if reaction != .suspend, reaction != .notAPNs {
            breakersLearnedNothing(from: id)
        }
        judgeTokens(by: reaction, id, flight)
        switch reaction {
        case .accepted: accepted(id, response)
        case .rejected: rejected(id, response, owing: .deadLetter)
        case .suspect: rejected(id, response, owing: .deadLetter, isSuspect: true)
        case .unregistered:
            pushes.change(id) { $0.unregisteredAt = response.timestamp }
            rejected(id, response, owing: .unregistered)
        case .suspend where isReplaced: sendWithNewCredential(id, response, flight)
        case .suspend: suspend(id, response, row, flight)
        case .notAPNs: distrust(id, response, row, flight)
        case .retryNow:
            remember(response, id)
            if mayTryAgain(id) { sendAgain(id) } else { giveUp(id) }
        case .retryOnce:
            pushes.change(id) { $0.wasRetriedOnce = true }
            remember(response, id)
            sendAgain(id)
        case .retryLater: retryLater(id, response, row)
        }
    }

    /// APNs rejected a credential that another one has replaced since: that one is used, and the
    /// attempt does not count.
    private mutating func sendWithNewCredential(
        _ id: PushID, _ response: APNsResponse, _ flight: Push.InFlight
    ) {
        learnedNothing(from: id, flight)
        remember(response, id)
        pushes.change(id) { $0.suspendedAttempts += 1 }
        sendAgain(id)
    }

    /// Nothing of the request left, or APNs says that it was not looked at.
    package mutating func notSent(_ id: PushID) {
        guard let flight = endRequest(id) else { return }
        learnedNothing(from: id, flight)
        pushes[id].takeBackAttempt()
        let refusals = pushes.change(id) { details in
            details.refusals += 1
            return details.refusals
        }
        // Once or twice is a connection that closes; more often is a peer that takes nothing.
        guard refusals > 2, mayContinue(id), phase != .closed else { return sendAgain(id) }
        wait(id, for: settings.retry.delay(afterAttempts: refusals - 2, random: random.next()))
    }

    /// It was sent, and no response will come.
    package mutating func inDoubt(_ id: PushID, reason: String) {
        guard let flight = endRequest(id) else { return }
        learnedNothing(from: id, flight)
        adapt(id, isBusy: true)
        doubt(id, reason: reason)
    }

    /// The peer calls the request a breach of HTTP/2, and processed nothing, as far as its word
    /// goes: it is sent once more, perhaps on another connection, and after that it is in doubt.
    package mutating func refusedAsMalformed(_ id: PushID, reason: String) {
        guard pushes.isCurrent(id), pushes[id].state.kind == .inFlight,
            !pushes[details: id].wasRetriedOnce
        else { return inDoubt(id, reason: reason) }
        pushes.change(id) { $0.wasRetriedOnce = true }
        notSent(id)
    }

    /// No connection can send the push as it is: APNs has not seen it.
    package mutating func unsendable(_ id: PushID, _ reason: UnsendableReason) {
        guard let flight = endRequest(id) else { return }
        learnedNothing(from: id, flight)
        pushes[id].takeBackAttempt()
        if pushes[id].attempts == 0 { pushes[id].sentAt = nil }
        switch reason {
        case .notInCertificate: finish(id, dropped: .notInCertificate)
        case .invalidField: finish(id, dropped: .unsendable)
        }
    }

    /// A request is over, however it ended; nil for one that is late.
    private mutating func endRequest(_ id: PushID) -> Push.InFlight? {
        guard let id = pushes.current(id), case .inFlight(let flight) = pushes[id].state else {
            counters.lateReferences = pushes.lateReferences
            return nil
        }
        records[pushes[id].record.slot].inFlight -= 1
        queues[pushes[id].app].inFlight -= 1
        return flight
    }

    /// Tells the app's concurrency how APNs responds.
    private mutating func adapt(_ id: PushID, isBusy: Bool) {
        let app = pushes[id].app
        guard queues[app].concurrency != nil else { return }
        let waited = wallClock - (pushes[id].sentAt ?? wallClock)
        queues[app].concurrency?.responded(isBusy: isBusy, after: waited, now: now)
    }

    private mutating func accepted(_ id: PushID, _ response: APNsResponse) {
        queues[pushes[id].app].lastAccepted = now
        if !response.uniqueID.isEmpty { pushes.change(id) { $0.uniqueID = response.uniqueID } }
        finish(id, .accepted, status: response.status)
    }

    private mutating func rejected(
        _ id: PushID, _ response: APNsResponse, owing: ResultKinds, isSuspect: Bool = false
    ) {
        if !response.uniqueID.isEmpty { pushes.change(id) { $0.uniqueID = response.uniqueID } }
        finish(
            id, .rejected, status: response.status,
            reason: response.reason.isEmpty ? nil : response.reason, isSuspect: isSuspect,
            owing: owing)
    }

    func mayTryAgain(_ id: PushID) -> Bool {
        let attempts = Int(pushes[id].attempts) - pushes[details: id].suspendedAttempts
        return attempts < settings.retry.maxAttempts
    }

    /// Remembers a response that decides nothing.
    mutating func remember(_ response: APNsResponse, _ id: PushID) {
        pushes.change(id) { details in
            details.lastStatus = response.status
            details.lastReason = response.reason.isEmpty ? nil : response.reason
        }
    }
}

extension ReasonRow {
    /// True when APNs has had too much for one device, and takes pushes for others.
    var isAboutItsDevice: Bool { reaction == .retryLater && scope == .push }
}
