internal import APNs
internal import Delivery
internal import Encoding
internal import EventLoop

/// When a notification is sent again, and when it is given up.
extension WorkerCore {
    /// Lets it be sent again, unless it is left to the next owner of its partition.
    mutating func sendAgain(_ place: Int) {
        if mayGoOn(place) { makeReadyFirst(place) } else { abandon(notification: place) }
    }

    /// Waits before the next attempt, if there may be one.
    mutating func park(_ place: Int, _ answer: Answer) {
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
    mutating func giveUp(_ place: Int) {
        guard notifications[place].doubt == nil else { return reportDoubt(place) }
        guard notifications[place].lastStatus != nil else {
            return finish(place, dropped: .unreachable)
        }
        var outcome = Outcome(
            .rejected, reason: notifications[place].lastReason, id: notifications[place].id)
        outcome.status = notifications[place].lastStatus
        finish(place, outcome, owing: .deadLetter)
    }
}
