internal import APNs
internal import Delivery
internal import EventLoop

/// From a ready notification to its verdict.
extension WorkerCore {
    /// How often open notifications are looked through for a passed deadline.
    static var sweepInterval: UInt64 { 1_000_000_000 }

    /// The notification to send next; nil when no line has one that may be sent.
    mutating func nextToSend() -> Int? {
        for _ in lines.indices {
            if let place = nextToSend(of: lines.turn) { return place }
            lines.pass()
        }
        return nil
    }

    private mutating func nextToSend(of app: Int) -> Int? {
        while isClosing || lines.allowsSending(app, now: now), let place = lines[app].ready.first {
            guard notifications[place].stage == .ready else {
                lines[app].ready.popFirst()
                continue
            }
            guard !isClosing else {
                lines[app].ready.popFirst()
                giveUp(place)
                continue
            }
            if notifications[place].notification.isExpired(at: wallClock) {
                lines[app].ready.popFirst()
                expire(place)
                continue
            }
            if notifications[place].doubt != nil, !mayResend(place) {
                lines[app].ready.popFirst()
                reportDoubt(place)
                continue
            }
            if let end = throttleEnd(place) {
                lines[app].ready.popFirst()
                waitForDevice(place, until: end)
                continue
            }
            if let moment = nextForDevice(place), moment > now {
                lines[app].ready.popFirst()
                wait(place, Int64((moment - now + 999_999) / 1_000_000))
                continue
            }
            return place
        }
        return nil
    }

    /// A connection has taken the notification that was asked for.
    mutating func sent(_ place: Int) {
        let app = notifications[place].notification.app
        notifications[place].isProbe = lines.sent(place, app, now: now)
        if notifications[place].isProbe { noteSentWhileHeld(place) }
        countForDevice(place)
        counters.attempts += 1
        notifications[place].stage = .sent
        rememberSent(place)
        records[notifications[place].record].inFlight += 1
        notifications[place].attempts += 1
        notifications[place].sentAt = wallClock
    }

    /// No connection takes the notification that was asked for: its app waits for the next turn.
    mutating func foundNoRoom(for place: Int) {
        lines[notifications[place].notification.app].isFull = true
    }

    /// A request is over, however it ended.
    private mutating func ended(_ place: Int) {
        records[notifications[place].record].inFlight -= 1
        lines[notifications[place].notification.app].inFlight -= 1
    }

    /// Tells the app's concurrency how Apple answers.
    private mutating func adapt(_ place: Int, isBusy: Bool) {
        let waited = wallClock - (notifications[place].sentAt ?? wallClock)
        lines[notifications[place].notification.app].concurrency?
            .answered(isBusy: isBusy, after: waited, now: now)
    }

    /// Nothing of the request left, or Apple says that it was not looked at.
    mutating func notSent(_ place: Int) {
        guard notifications[place].stage == .sent else { return }
        ended(place)
        learnedNothing(from: place)
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
        ended(place)
        learnedNothing(from: place)
        adapt(place, isBusy: true)
        doubt(place, reason: reason)
    }

    /// Apple has answered.
    mutating func answered(_ place: Int, _ answer: Answer) {
        guard notifications[place].stage == .sent else { return }
        ended(place)
        adapt(place, isBusy: answer.isBusy)
        var reaction = ReasonTable.reaction(status: answer.status, reason: answer.reason)
        if reaction == .retryOnce, notifications[place].wasRetriedOnce { reaction = .hold }
        notifications[place].refusals = 0
        if answer.isOurs { return dropUnsent(place, answer) }
        notifications[place].answeredAt = wallClock
        if answer.status != 200 { noteStrange(answer) }
        if reaction.provesLineFree { proven(by: place) }
        if !reaction.provesLineFree, reaction != .hold { learnedNothing(from: place) }
        judgeTokens(by: reaction, place)
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
            notifications[place].wasRetriedOnce = true
            remember(answer, place)
            sendAgain(place)
        case .retryLater: park(place, answer)
        }
    }

    func mayTryAgain(_ place: Int) -> Bool {
        notifications[place].countedAttempts < settings.retry.maxAttempts
    }

    /// Lets it be sent again, unless it is left to the next owner of its partition.
    private mutating func sendAgain(_ place: Int) {
        if mayGoOn(place) { makeReadyFirst(place) } else { abandon(notification: place) }
    }

    mutating func remember(_ answer: Answer, _ place: Int) {
        notifications[place].lastStatus = answer.status
        notifications[place].lastReason = answer.reason.isEmpty ? nil : answer.reason
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
        notifications[place].resumesAt = now + delay
        guard mayGoOn(place, after: delay) else {
            return maySpill(place) ? spill(place) : abandon(notification: place)
        }
        records[notifications[place].record].detach()
        notifications[place].stage = .parked
        notifications[place].generation &+= 1
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
        endRests()
        askAgain()
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
        sweepLines()
        watchLines()
        for place in notifications.indices {
            let stage = notifications[place].stage
            guard stage == .ready || stage == .parked else { continue }
            if notifications[place].notification.isExpired(at: wallClock) {
                expire(place)
            } else if !lines.isHeld(notifications[place].notification.app), isPastGivingUp(place)
            {
                giveUp(place)
            }
        }
    }

    /// Forgets entries of the lines that are no longer ready.
    private mutating func sweepLines() {
        let known = notifications
        for app in lines.indices where lines[app].ready.count > 2 * known.count + 64 {
            lines[app].ready.keep { known[$0].stage == .ready }
        }
    }

    private func isPastGivingUp(_ place: Int) -> Bool {
        now - notifications[place].takenAt + notifications[place].age
            > UInt64(settings.retry.giveUpAfter) * 1_000_000
    }
}

extension Answer {
    /// True when Apple has had too much for one device, and takes pushes for others.
    fileprivate var isAboutItsDevice: Bool {
        status == 429 && reason != "TooManyProviderTokenUpdates"
    }

    /// True when Apple, and not one device alone, has too much to do.
    fileprivate var isBusy: Bool {
        status == 503 || status == 429 && !isAboutItsDevice
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
