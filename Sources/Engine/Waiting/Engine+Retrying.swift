internal import APNs
internal import Delivery
internal import Encoding
internal import EventLoop

/// When a push is resent, and when it is given up.
extension Engine {
    /// Queues a push again, unless it is left to the next owner of its partition.
    mutating func sendAgain(_ id: PushID) {
        if mayContinue(id) { queueAgain(id) } else { abandon(id) }
    }

    /// Schedules the next attempt, if another one is allowed.
    mutating func retryLater(_ id: PushID, _ response: APNsResponse, _ row: ReasonRow) {
        remember(response, id)
        guard mayTryAgain(id) else { return giveUp(id) }
        // Throttling of one device and trouble at Apple have separate back-offs.
        let isThrottled = row.isAboutItsDevice
        let count = pushes.change(id) { details in
            if isThrottled { details.throttles += 1 } else { details.failures += 1 }
            return isThrottled ? details.throttles : details.failures
        }
        var delay = settings.retry.delay(afterAttempts: count, random: random.next())
        if let retryAfter = response.retryAfter { delay = max(delay, .seconds(retryAfter)) }
        guard wait(id, for: delay) else { return }
        counters.retries += 1
        figures.countRetry(reason: response.reason)
        noteRetry(id, after: delay)
        if isThrottled { throttle(deviceOf: id, until: pushes[details: id].resumesAt) }
    }

    /// Makes a push wait, but not past its deadline; false when it is left to another reader before
    /// then.
    @discardableResult
    mutating func wait(_ id: PushID, for duration: Duration) -> Bool {
        let delay = min(duration, settings.retry.giveUpAfter)
        let moment = now + delay
        pushes.change(id) { $0.resumesAt = moment }
        guard mayContinue(id, after: delay) else {
            if mayMoveToRetryTopic(id) { moveToRetryTopic(id) } else { abandon(id) }
            return false
        }
        wait(id, until: moment)
        countSuccessorsAsWaiting(of: id)
        return pushes.isCurrent(id) && pushes[id].state.kind == .waiting
    }

    /// Makes a push wait in memory until a given time.
    mutating func wait(_ id: PushID, until moment: Instant) {
        pushes.transition(id, to: .waiting(until: moment))
        retries.add(moment, id)
        countAsWaiting(id)
    }

    /// Finishes a push without another attempt: with the last response, or as unreachable.
    mutating func giveUp(_ id: PushID) {
        let details = pushes[details: id]
        guard details.doubt == nil else { return reportDoubt(id) }
        guard let status = details.lastStatus else { return finish(id, dropped: .unreachable) }
        finish(id, .rejected, status: status, reason: details.lastReason, owing: .deadLetter)
    }

    /// Finishes a push that has expired.
    mutating func expire(_ id: PushID) {
        guard pushes[details: id].doubt == nil else { return reportDoubt(id) }
        finish(id, dropped: .expired)
    }
}
