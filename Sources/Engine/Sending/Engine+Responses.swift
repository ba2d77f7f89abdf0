package import APNs
internal import Delivery
internal import Encoding
internal import EventLoop

/// What happens to a push when its request finishes.
extension Engine {
    /// APNs has accepted a push, with an `apns-unique-id` in the development environment.
    package mutating func accepted(
        _ id: PushID, uniqueID: [UInt8] = [], signedWith credential: CredentialVersion = .first
    ) {
        guard let flight = endRequest(id) else { return }
        adapt(id, flight, isBusy: false)
        if isTracing { traceEnd(id, status: 200) }
        noteResponse(id, flight)
        if sending.isReplaced(credential, of: pushes[id].app) {
            breakersLearnedNothing(from: id)
        } else {
            proven(by: id)
            noteProof(by: id)
        }
        judgeTokens(by: .accepted, id, flight)
        if !uniqueID.isEmpty { pushes.change(id) { $0.uniqueID = uniqueID } }
        sending.accepted(pushes[id].app, now: now)
        noteRegistered(id)
        finish(id, .accepted, status: 200)
    }

    private mutating func noteResponse(_ id: PushID, _ flight: Push.InFlight) {
        noteSent(id, flight)
        pushes[id].noteResponse(at: wallClock)
        if pushes.hasDetails(id) { pushes.change(id) { $0.refusals = 0 } }
    }

    /// Records when an attempt that counts was sent.
    private mutating func noteSent(_ id: PushID, _ flight: Push.InFlight) {
        guard let earlier = pushes[id].noteSent(at: flight.sentAt) else { return }
        pushes.change(id) { $0.noteEarlierAttempt(at: earlier) }
    }

    /// APNs has responded to a request that was signed with one of the route's credentials.
    package mutating func responded(
        _ id: PushID, _ response: APNsResponse, signedWith credential: CredentialVersion = .first
    ) {
        let row = response.row
        guard row.reaction != .accepted else {
            return accepted(id, uniqueID: response.uniqueID, signedWith: credential)
        }
        guard let flight = endRequest(id) else { return }
        let isReplaced = sending.isReplaced(credential, of: pushes[id].app)
        // Too many broadcasts of an app: one device has no part in it.
        let isBusy = row.isBusy || row.isAboutItsDevice && pushes[id].isBroadcast
        adapt(id, flight, isBusy: isBusy)
        if isTracing { traceEnd(id, response) }
        noteResponse(id, flight)
        var reaction = pushes[id].isBroadcast ? row.reactionToBroadcast : row.reaction
        if reaction == .retryOnce, pushes[details: id].wasRetriedOnce { reaction = .suspend }
        reportUnexpected(response, row)
        if row.provesCredential, !isReplaced {
            proven(by: id)
        } else if reaction != .suspend, reaction != .notAPNs {
            breakersLearnedNothing(from: id)
        }
        judgeTokens(by: reaction, id, flight)
        switch reaction {
        case .accepted: break  // It has returned.
        case .rejected: rejected(id, response, owing: .deadLetter)
        case .suspect: rejected(id, response, owing: .deadLetter, isSuspect: true)
        case .unregistered:
            pushes.change(id) { $0.noteUnregistered(at: response.timestamp) }
            rejected(id, response, owing: .unregistered)
            noteUnregistered(id)
        case .suspend where isReplaced: sendWithNewCredential(id, response, flight)
        case .suspend: suspend(id, response, row, flight)
        case .notAPNs: distrust(id, response, row, flight)
        case .retryNow:
            remember(response, id)
            if mayTryAgain(id) { sendAgain(id) } else { endUndelivered(id) }
        case .retryOnce:
            pushes.change(id) { $0.wasRetriedOnce = true }
            remember(response, id)
            sendAgain(id)
        case .retryLater: retryLater(id, response, row)
        }
    }

    /// APNs rejected a credential that has since been replaced: the push is sent with the new one,
    /// and the attempt does not count.
    private mutating func sendWithNewCredential(
        _ id: PushID, _ response: APNsResponse, _ flight: Push.InFlight
    ) {
        learnedNothing(from: id, flight)
        remember(response, id)
        pushes.change(id) { $0.countSuspendedAttempt() }
        sendAgain(id)
    }

    /// No part of the request was sent, or APNs reports that it was not processed.
    package mutating func notSent(_ id: PushID) {
        guard let flight = endRequest(id) else { return }
        learnedNothing(from: id, flight)
        if isTracing { traceEnd(id, error: SpanMaker.notSent) }
        pushes[id].takeBackAttempt()
        let refusals = pushes.change(id) { details in
            details.refusals += 1
            return details.refusals
        }
        // Once or twice may mean that a connection closed in between; more often, that the peer
        // accepts nothing.
        guard refusals > 2, mayContinue(id), !isClosed else { return sendAgain(id) }
        wait(id, for: waiting.delay(afterAttempts: refusals - 2))
    }

    /// The push was sent, and no response will come.
    package mutating func inDoubt(_ id: PushID, reason: String) {
        guard let flight = endRequest(id) else { return }
        noteSent(id, flight)
        if isTracing { traceEnd(id, error: SpanMaker.inDoubt, detail: reason) }
        learnedNothing(from: id, flight)
        adapt(id, flight, isBusy: true)
        doubt(id, reason: reason)
    }

    /// The peer calls the request malformed HTTP/2 and states that it processed nothing: the push
    /// is resent once, perhaps on another connection; after that it is in doubt.
    package mutating func refusedAsMalformed(_ id: PushID, reason: String) {
        guard pushes.isCurrent(id), pushes[id].state.kind == .inFlight,
            !pushes[details: id].wasRefusedAsMalformed
        else { return inDoubt(id, reason: reason) }
        pushes.change(id) { $0.wasRefusedAsMalformed = true }
        notSent(id)
    }

    /// No connection can send the push as it is, and APNs has not seen it.
    package mutating func unsendable(_ id: PushID, _ reason: UnsendableReason) {
        guard let flight = endRequest(id) else { return }
        learnedNothing(from: id, flight)
        if isTracing { traceNothingSent(id) }
        pushes[id].takeBackAttempt()
        switch reason {
        case .notInCertificate: finish(id, dropped: .notInCertificate)
        case .invalidField(let detail):
            pushes.change(id) { $0.unsendable = detail }
            finish(id, dropped: .unsendable)
        }
    }

    /// A request has finished; nil for a late one.
    private mutating func endRequest(_ id: PushID) -> Push.InFlight? {
        guard let id = current(id), case .inFlight(let flight) = pushes[id].state else {
            return nil
        }
        pushes.requestEnded(id)
        sending.ended(pushes[id].app)
        endFlight(id)
        return flight
    }

    /// Reports a response to the app's concurrency limit.
    private mutating func adapt(_ id: PushID, _ flight: Push.InFlight, isBusy: Bool) {
        sending.adapt(
            pushes[id].app, isBusy: isBusy, sentAt: flight.sentAt, wallClock: wallClock, now: now)
    }

    mutating func rejected(
        _ id: PushID, _ response: APNsResponse, owing: ResultKinds, isSuspect: Bool = false
    ) {
        if !response.uniqueID.isEmpty { pushes.change(id) { $0.uniqueID = response.uniqueID } }
        finish(
            id, .rejected, status: response.status,
            reason: response.reason.isEmpty ? nil : response.reason, isSuspect: isSuspect,
            owing: owing)
    }

    /// Schedules the next attempt, if another one is allowed.
    mutating func retryLater(_ id: PushID, _ response: APNsResponse, _ row: ReasonRow) {
        remember(response, id)
        guard mayTryAgain(id) else { return endUndelivered(id) }
        // Throttling of one device and trouble at Apple have separate back-offs.
        let isThrottled = row.isAboutItsDevice && !pushes[id].isBroadcast
        let count = pushes.change(id) { details in
            if isThrottled { details.throttles += 1 } else { details.failures += 1 }
            return isThrottled ? details.throttles : details.failures
        }
        var delay = waiting.delay(afterAttempts: count)
        if let retryAfter = response.retryAfter { delay = max(delay, .seconds(retryAfter)) }
        // Also when it does not wait itself: later pushes to the device do.
        if isThrottled {
            throttle(deviceOf: id, until: now + min(delay, settings.retry.giveUpAfter))
        }
        guard wait(id, for: delay) else { return }
        counters.add(\.retries)
        figures.countRetry(reason: response.reason)
        noteRetry(id, after: delay)
    }

    mutating func mayTryAgain(_ id: PushID) -> Bool {
        let attempts = Int(pushes[id].attempts) - pushes[details: id].suspendedAttempts
        return attempts < settings.retry.maxAttempts
    }

    /// Records a response that is not final.
    mutating func remember(_ response: APNsResponse, _ id: PushID) {
        pushes.change(id) { details in
            details.noteResponse(
                status: response.status, reason: response.reason.isEmpty ? nil : response.reason)
        }
    }
}

extension ReasonRow {
    /// What to do about a broadcast: whatever the response says, it is about no device.
    var reactionToBroadcast: Reaction {
        reaction == .unregistered || reaction == .suspect ? .rejected : reaction
    }

    /// True when APNs throttles one device and accepts pushes for others. Any other response that
    /// concerns a single push says nothing about its device.
    var isAboutItsDevice: Bool { reason == "TooManyRequests" }
}
