internal import APNs
internal import Delivery
internal import Encoding
internal import EventLoop

/// What becomes of a notification whose request is over, however it ended.
extension WorkerCore {
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

    mutating func remember(_ answer: Answer, _ place: Int) {
        notifications[place].lastStatus = answer.status
        notifications[place].lastReason = answer.reason.isEmpty ? nil : answer.reason
    }
}

extension Answer {
    /// True when Apple has had too much for one device, and takes pushes for others.
    var isAboutItsDevice: Bool {
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
