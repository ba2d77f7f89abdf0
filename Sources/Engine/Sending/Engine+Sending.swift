internal import Configuration
internal import Delivery
internal import EventLoop

/// Which push is sent next, and what is recorded about it.
extension Engine {
    /// Prepares the queues for a turn: the head of each is a push that may be sent.
    package mutating func startSending() {
        queues.startTurn()
        settleHeads()
    }

    /// Work at the head of one queue may change the head of another: a successor is queued, or a
    /// whole record is abandoned.
    mutating func settleHeads() {
        repeat {
            queues.headsChanged = false
            for app in queues.apps { settleHead(of: app) }
        } while queues.headsChanged
    }

    /// The push to send next; nil when no app has one that may be sent.
    package mutating func nextToSend() -> PushID? { queues.next(now: now) }

    /// A connection has accepted the push.
    package mutating func sent(_ id: PushID) {
        let app = pushes[id].app
        let isProbe = queues.sent(id, app, now: now)
        let flight = Push.InFlight(sentAt: wallClock, isGuardProbe: isProbe)
        apply(.sent(flight), to: id)
        if isProbe { noteSentWhileEngaged(id) }
        countForDevice(id)
        counters.attempts += 1
        noteFlight(id)
        records[pushes[id].record.slot].inFlight += 1
        pushes[id].countAttempt()
        if isTracing { traceSent(id) }
        settleHead(of: app)
        if queues.headsChanged { settleHeads() }
    }

    /// No connection has room for the push: its app waits for the next turn.
    package mutating func foundNoRoom(for id: PushID) {
        queues[pushes[id].app].isFull = true
        if wantsToBeAlone, isAlone(id) { intake.foundNoRoomAlone() }
    }

    /// Processes the pushes at the head of a queue until one of them may be sent: expired pushes,
    /// those that must not be resent, and those that must wait for their device leave the queue.
    private mutating func settleHead(of app: AppID) {
        while let id = queues[app].pushes.first {
            guard pushes.isCurrent(id), case .queued = pushes[id].state else {
                queues[app].pushes.popFirst()
                continue
            }
            guard !isClosed else {
                queues[app].pushes.popFirst()
                endUndelivered(id)
                continue
            }
            guard abandonments.isEmpty || mayContinue(id) else {
                guard abandonsLeft > 0 else {
                    queues[app].isFull = true
                    return
                }
                queues[app].pushes.popFirst()
                abandon(id)
                continue
            }
            guard !intake.isHoldingBack || isAlone(id) else {
                queues[app].isFull = true
                return
            }
            guard !isPaused || !isHeldByPause(id) else {
                queues[app].isFull = true
                return
            }
            guard queues.allowsSending(app, now: now), settle(id, of: app) else { return }
        }
    }

    /// True when the push at the head of a queue has left it.
    private mutating func settle(_ id: PushID, of app: AppID) -> Bool {
        if pushes[id].isExpired(at: wallClock) {
            queues[app].pushes.popFirst()
            guard isClockInDoubt else {
                expire(id)
                return true
            }
            leaveOrder(id)
            heldForClock.append(id)
        } else if isForUnregisteredDevice(id) {
            queues[app].pushes.popFirst()
            finish(id, dropped: .unregistered)
        } else if let newer = newerPush(than: id) {
            queues[app].pushes.popFirst()
            yield(id, to: newer)
        } else if pushes.isInDoubt(id), !mayResend(id) {
            queues[app].pushes.popFirst()
            reportDoubt(id)
        } else if let end = throttleEnd(id) {
            queues[app].pushes.popFirst()
            waitForDevice(id, until: end)
        } else if let moment = nextForDevice(id), moment > now {
            queues[app].pushes.popFirst()
            wait(id, for: .milliseconds(now.duration(to: moment).milliseconds))
        } else {
            return false
        }
        return true
    }
}
