internal import APNs
internal import Delivery
internal import EventLoop

/// From a ready notification to its verdict.
extension WorkerCore {
    /// How often open notifications are looked through for a passed deadline.
    static var sweepInterval: UInt64 { 1_000_000_000 }

    /// The notification to send next; nil when there is none, or the line is held.
    mutating func nextToSend() -> Int? {
        while hold.allowsSending(now: now), let place = ready.first {
            guard notifications[place].stage == .ready else {
                ready.popFirst()
                continue
            }
            if let expiresAt = notifications[place].notification.expiresAt, expiresAt <= wallClock {
                ready.popFirst()
                finish(place, dropped: .expired)
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
        notifications[place].attempts += 1
        notifications[place].sentAt = wallClock
    }

    /// Nothing of the request left, or Apple says that it was not looked at.
    mutating func notSent(_ place: Int) {
        guard notifications[place].stage == .sent else { return }
        hold.probeFailed(place, now: now)
        notifications[place].attempts -= 1
        makeReadyFirst(place)
    }

    /// It was sent, and no answer will come.
    mutating func inDoubt(_ place: Int, reason: String) {
        guard notifications[place].stage == .sent else { return }
        hold.probeFailed(place, now: now)
        finish(place, .unknown, reason: reason)
    }

    /// Apple has answered.
    mutating func answered(_ place: Int, _ answer: Answer) {
        guard notifications[place].stage == .sent else { return }
        let reaction = ReasonTable.reaction(status: answer.status, reason: answer.reason)
        notifications[place].answeredAt = wallClock
        if reaction != .hold, hold.release() {
            notices.append(Notice(.info, "APNs takes pushes again; the line goes on"))
        }
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
            makeReadyFirst(place)
        case .retryOnce:
            if notifications[place].wasRetriedOnce { return holdLine(place, answer) }
            notifications[place].wasRetriedOnce = true
            remember(answer, place)
            makeReadyFirst(place)
        case .retryLater: park(place, answer)
        }
    }

    private mutating func remember(_ answer: Answer, _ place: Int) {
        notifications[place].lastStatus = answer.status
        notifications[place].lastReason = answer.reason.isEmpty ? nil : answer.reason
    }

    private mutating func holdLine(_ place: Int, _ answer: Answer) {
        remember(answer, place)
        makeReadyFirst(place)
        guard hold.hold(place, now: now) else { return }
        let bundle = String(decoding: notifications[place].notification.bundleID, as: UTF8.self)
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
        guard notifications[place].attempts < settings.retry.maxAttempts else {
            return giveUp(place)
        }
        counters.retries += 1
        var delay = settings.retry.delay(
            afterAttempts: notifications[place].attempts, random: chance.next())
        if let retryAfter = answer.retryAfter { delay = max(delay, Int64(retryAfter) * 1000) }
        notifications[place].stage = .parked
        notifications[place].generation &+= 1
        parked.add(
            now + UInt64(delay) * 1_000_000, id: place,
            generation: notifications[place].generation)
    }

    /// No further attempt: the last answer stands, or nobody ever answered.
    private mutating func giveUp(_ place: Int) {
        guard notifications[place].lastStatus != nil else {
            return finish(place, dropped: .unreachable)
        }
        var outcome = Outcome(
            .rejected, reason: notifications[place].lastReason, id: notifications[place].id)
        outcome.status = notifications[place].lastStatus
        finish(place, outcome, owing: .deadLetter)
    }

    /// Lets what has waited long enough go on, and ends what has waited too long.
    mutating func expireDeadlines() {
        while let entry = parked.popExpired(at: now) {
            guard notifications[entry.id].generation == entry.generation,
                notifications[entry.id].stage == .parked
            else { continue }
            makeReadyFirst(entry.id)
        }
        while let entry = refused.popExpired(at: now) { reports.append(entry.id) }
        guard now >= nextSweep else { return }
        nextSweep = now + Self.sweepInterval
        sweep()
    }

    private mutating func sweep() {
        for place in notifications.indices {
            let stage = notifications[place].stage
            guard stage == .ready || stage == .parked else { continue }
            if let expiresAt = notifications[place].notification.expiresAt, expiresAt <= wallClock {
                finish(place, dropped: .expired)
            } else if !hold.isHolding, isPastGivingUp(place) {
                giveUp(place)
            }
        }
    }

    private func isPastGivingUp(_ place: Int) -> Bool {
        now - notifications[place].takenAt > UInt64(settings.retry.giveUpAfter) * 1_000_000
    }
}
