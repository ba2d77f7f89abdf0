package import Delivery
internal import EventLoop

/// Work that is due because time has passed: waiting pushes become due, and others expire.
extension Engine {
    /// Does everything that is due.
    package mutating func doDueWork() {
        waiting.startTurn()
        abandonMore()
        endWaits()
        intake.resumeDue(now: now)
        repeatWithheld()
        advanceHeld()
        while let id = outbox.popOffer(now: now) { offerAgain(id) }
        notices += outbox.notices(now: now, hasOpenPushes: pushes.count > 0)
        if waiting.takeSweep(now: now) { sweep() }
    }

    private mutating func endWaits() {
        while let id = waiting.popDue(now: now) {
            guard pushes.isCurrent(id), case .waiting(let until) = pushes[id].state, until <= now
            else { continue }
            apply(.queued(.again), to: id)
        }
    }

    private mutating func sweep() {
        devices.forgetEnded(now: now)
        sweepQueues()
        watchQueues()
        sweepCommitRoom()
        sweepStarts()
        let countsApps = isAnyAppSuspended
        waiting.beginCensus(countingApps: countsApps)
        intake.forgetOldestEvents()
        for slot in pushes.slotRange where pushes[slot].state.kind != .done {
            takeCensus(of: slot)
            switch pushes[slot].state {
            case .queued, .waiting: break
            case .new, .blocked, .inFlight, .withheld, .reporting, .done: continue
            }
            let id = pushes.id(of: slot)
            // What the clock holds waits, however long it is in doubt.
            if isClockInDoubt { continue }
            if pushes[slot].isExpired(at: wallClock) {
                expire(id)
            } else if isPastGivingUp(id), !isPaused,
                !sending.isSuspended(pushes[slot].app)
            {
                endUndelivered(id)
            }
        }
    }

    /// Removes deadlines and queue entries of pushes that do not wait for them any more.
    private mutating func sweepQueues() {
        waiting.trim(pushes)
        sending.trimQueues(of: pushes, atMost: backlog.isUsed ? settings.maxQueued : .max)
    }

    private func isPastGivingUp(_ id: PushID) -> Bool {
        let age = pushes[id].takenAt.duration(to: now) + pushes.ageBefore(id)
        return age > settings.retry.giveUpAfter
    }

    /// Skips sweeps that would find nothing, up to `limit`, so that a simulation can let time jump.
    package mutating func skipIdleSweeps(until limit: Instant) {
        var first = limit
        for slot in pushes.slotRange {
            switch pushes[slot].state {
            case .queued, .waiting: break
            case .new, .blocked, .inFlight, .withheld, .reporting, .done: continue
            }
            let undeliveredAfter = settings.retry.giveUpAfter + .milliseconds(1)
            first = min(first, pushes[slot].takenAt + undeliveredAfter)
            if let end = pushes[slot].expiresAt {
                first = min(first, now + .milliseconds(max(0, end - wallClock)))
            }
        }
        waiting.skipSweeps(until: first)
    }
}
