internal import APNs
internal import Delivery
internal import EventLoop

/// From a ready notification to its verdict.
extension WorkerCore {
    /// How often open notifications are looked through for a passed deadline.
    static var sweepInterval: UInt64 { 1_000_000_000 }

    /// The notification to send next; nil when there is none, or the line is held.
    mutating func nextToSend() -> Int? {
        while isClosing || hold.allowsSending(now: now), let place = ready.first {
            guard notifications[place].stage == .ready else {
                ready.popFirst()
                continue
            }
            guard !isClosing else {
                ready.popFirst()
                giveUp(place)
                continue
            }
            if notifications[place].notification.isExpired(at: wallClock) {
                ready.popFirst()
                expire(place)
                continue
            }
            if notifications[place].doubt != nil, !mayResend(place) {
                ready.popFirst()
                reportDoubt(place)
                continue
            }
            if let end = throttleEnd(place) {
                ready.popFirst()
                waitForDevice(place, until: end)
                continue
            }
            return place
        }
        return nil
    }

    /// A connection has taken the notification that was asked for.
    mutating func sent(_ place: Int) {
        ready.popFirst()
        hold.sent(place)
        counters.attempts += 1
        notifications[place].stage = .sent
        rememberSent(place)
        records[notifications[place].record].inFlight += 1
        notifications[place].attempts += 1
        notifications[place].sentAt = wallClock
    }

    /// Nothing of the request left, or Apple says that it was not looked at.
    mutating func notSent(_ place: Int) {
        guard notifications[place].stage == .sent else { return }
        records[notifications[place].record].inFlight -= 1
        hold.probeFailed(place, now: now)
        notifications[place].attempts -= 1
        notifications[place].refusals += 1
        // Once or twice is a connection that leaves; more often is a peer that takes nothing.
        guard notifications[place].refusals > 2, mayGoOn(place), !isClosing else {
            return sendAgain(place)
        }
        let delay = settings.retry.delay(
            afterAttempts: notifications[place].refusals - 2, random: chance.next())
        wait(place, delay)
    }

    /// It was sent, and no answer will come.
    mutating func inDoubt(_ place: Int, reason: String) {
        guard notifications[place].stage == .sent else { return }
        records[notifications[place].record].inFlight -= 1
        hold.probeFailed(place, now: now)
        doubt(place, reason: reason)
    }

    /// Apple has answered.
    mutating func answered(_ place: Int, _ answer: Answer) {
        guard notifications[place].stage == .sent else { return }
        records[notifications[place].record].inFlight -= 1
        let reaction = ReasonTable.reaction(status: answer.status, reason: answer.reason)
        notifications[place].answeredAt = wallClock
        notifications[place].refusals = 0
        if answer == .unsendable {
            hold.probeFailed(place, now: now)
            return finish(place, dropped: .unsendable)
        }
        if reaction.provesLineFree, let since = hold.release() { goOn(heldSince: since) }
        if !reaction.provesLineFree, reaction != .hold { hold.probeFailed(place, now: now) }
        switch reaction {
        case .accepted: finish(place, .accepted, answer)
        case .rejected: finish(place, .rejected, answer, owing: .deadLetter)
        case .suspect: finish(place, .rejected, answer, owing: .deadLetter, isSuspect: true)
        case .unregistered:
            notifications[place].unregisteredAt = answer.timestamp
            finish(place, .rejected, answer, owing: .unregistered)
        case .hold: holdLine(place, answer)
        case .retryNow:
            remember(answer, place)
            if mayTryAgain(place) { sendAgain(place) } else { giveUp(place) }
        case .retryOnce:
            if notifications[place].wasRetriedOnce { return holdLine(place, answer) }
            notifications[place].wasRetriedOnce = true
            remember(answer, place)
            sendAgain(place)
        case .retryLater: park(place, answer)
        }
    }

    /// The line is free: the time for which it was held counts for no notification.
    private mutating func goOn(heldSince since: UInt64) {
        notices.append(Notice(.info, "APNs takes pushes again; the line goes on"))
        for place in notifications.indices where notifications[place].stage != .free {
            let takenAt = notifications[place].takenAt
            notifications[place].takenAt = takenAt + (now - max(takenAt, since))
        }
    }

    func mayTryAgain(_ place: Int) -> Bool {
        notifications[place].countedAttempts < settings.retry.maxAttempts
    }

    /// Lets it be sent again, unless it is left to the next owner of its partition.
    private mutating func sendAgain(_ place: Int) {
        if mayGoOn(place) { makeReadyFirst(place) } else { abandon(notification: place) }
    }

    private mutating func remember(_ answer: Answer, _ place: Int) {
        notifications[place].lastStatus = answer.status
        notifications[place].lastReason = answer.reason.isEmpty ? nil : answer.reason
    }

    private mutating func holdLine(_ place: Int, _ answer: Answer) {
        remember(answer, place)
        notifications[place].heldAttempts += 1
        let bundle = String(decoding: notifications[place].notification.bundleID, as: UTF8.self)
        let hasJustStopped = hold.hold(place, now: now)
        // To the back: another probe may be one that Apple takes.
        if mayGoOn(place) { makeReady(place) } else { abandon(notification: place) }
        guard hasJustStopped else { return }
        notices.append(
            Notice(
                .error, "the line is held: APNs refuses the credential or its configuration",
                [
                    ("status", String(answer.status)), ("reason", answer.reason),
                    ("bundle_id", bundle),
                    ("what", "offsets are kept, nothing is lost; probing until it is mended"),
                ]))
    }

    /// Waits before the next attempt, if there may be one.
    private mutating func park(_ place: Int, _ answer: Answer) {
        remember(answer, place)
        guard mayTryAgain(place) else { return giveUp(place) }
        // Too much for a device and trouble at Apple's each have a back-off of their own.
        let isThrottled = answer.isAboutItsDevice
        if isThrottled {
            notifications[place].throttles += 1
        } else {
            notifications[place].failures += 1
        }
        var delay = settings.retry.delay(
            afterAttempts: isThrottled
                ? notifications[place].throttles : notifications[place].failures,
            random: chance.next())
        if let retryAfter = answer.retryAfter { delay = max(delay, Int64(retryAfter) * 1000) }
        wait(place, delay)
        guard notifications[place].stage == .parked else { return }
        counters.retries += 1
        if isThrottled { throttle(deviceOf: place, until: notifications[place].resumesAt) }
    }

    /// Parks a notification for so many milliseconds, and no longer than it is tried at all, unless
    /// it is left to somebody else before.
    mutating func wait(_ place: Int, _ milliseconds: Int64) {
        let delay = UInt64(min(milliseconds, settings.retry.giveUpAfter)) * 1_000_000
        guard mayGoOn(place, after: delay) else { return abandon(notification: place) }
        records[notifications[place].record].detach()
        notifications[place].stage = .parked
        notifications[place].generation &+= 1
        notifications[place].resumesAt = now + delay
        parked.add(now + delay, id: place, generation: notifications[place].generation)
        setAside(place)
        setRowAside(behind: place)
    }

    /// No further attempt: the last answer stands, or nobody ever answered.
    private mutating func giveUp(_ place: Int) {
        guard notifications[place].doubt == nil else { return reportDoubt(place) }
        guard notifications[place].lastStatus != nil else {
            return finish(place, dropped: .unreachable)
        }
        var outcome = Outcome(
            .rejected, reason: notifications[place].lastReason, id: notifications[place].id)
        outcome.status = notifications[place].lastStatus
        finish(place, outcome, owing: .deadLetter)
    }

    /// Its time is over: it is not sent any more.
    private mutating func expire(_ place: Int) {
        guard notifications[place].doubt == nil else { return reportDoubt(place) }
        finish(place, dropped: .expired)
    }

    /// Lets what has waited long enough go on, and ends what has waited too long.
    mutating func expireDeadlines() {
        while let entry = parked.popExpired(at: now) {
            guard notifications[entry.id].generation == entry.generation,
                notifications[entry.id].stage == .parked
            else { continue }
            makeReadyFirst(entry.id)
        }
        while let entry = refused.popExpired(at: now) { offerAgain(entry.id) }
        guard now >= nextSweep else { return }
        nextSweep = now + Self.sweepInterval
        sweep()
    }

    /// Owes again what Kafka has refused.
    private mutating func offerAgain(_ place: Int) {
        let withheld = notifications[place].withheld
        guard !withheld.isEmpty else { return }
        notifications[place].withheld = []
        notifications[place].owed.formUnion(withheld)
        reports.append(place)
    }

    private mutating func sweep() {
        throttled.forgetEnded(now: now)
        if ready.count > 2 * notifications.count + 64 {
            ready.keep { notifications[$0].stage == .ready }
        }
        for place in notifications.indices {
            let stage = notifications[place].stage
            guard stage == .ready || stage == .parked else { continue }
            if notifications[place].notification.isExpired(at: wallClock) {
                expire(place)
            } else if !hold.isHolding, isPastGivingUp(place) {
                giveUp(place)
            }
        }
    }

    private func isPastGivingUp(_ place: Int) -> Bool {
        now - notifications[place].takenAt > UInt64(settings.retry.giveUpAfter) * 1_000_000
    }
}

extension Answer {
    /// True when Apple has had too much for one device, and takes pushes for others.
    fileprivate var isAboutItsDevice: Bool {
        status == 429 && reason != "TooManyProviderTokenUpdates"
    }
}

extension Reaction {
    /// True for the answers that Apple gives only to those whose credential it has accepted.
    fileprivate var provesLineFree: Bool {
        switch self {
        case .accepted, .unregistered, .suspect, .rejected: true
        case .hold, .retryNow, .retryOnce, .retryLater: false
        }
    }
}
