internal import Configuration
internal import Delivery
internal import EventLoop

/// Which push is sent next, and what is recorded about it.
extension Engine {
    /// Prepares the queues for a turn: the head of each is a push that may be sent.
    package mutating func startSending() {
        sending.startTurn()
        settleHeads()
    }

    /// Work at the head of one queue may change the head of another: a successor is queued, or a
    /// whole record is abandoned.
    mutating func settleHeads() {
        repeat {
            sending.settle()
            for app in sending.apps { settleHead(of: app) }
        } while sending.headsChanged
    }

    /// The push to send next; nil when no app has one that may be sent.
    package mutating func nextToSend() -> PushID? { sending.next(now: now) }

    /// A connection has accepted the push.
    package mutating func sent(_ id: PushID) {
        let app = pushes[id].app
        let isProbe = sending.sent(id, of: app, now: now)
        let flight = Push.InFlight(sentAt: wallClock, isGuardProbe: isProbe)
        apply(.sent(flight), to: id)
        if isProbe { noteSentWhileEngaged(id) }
        countForDevice(id)
        counters.add(\.attempts)
        noteFlight(id)
        pushes.requestSent(id)
        pushes[id].countAttempt()
        if isTracing { traceSent(id) }
        settleHead(of: app)
        if sending.headsChanged { settleHeads() }
    }

    /// No connection has room for the push: its app waits for the next turn.
    package mutating func foundNoRoom(for id: PushID) {
        sending.waitForNextTurn(pushes[id].app)
        if wantsToBeAlone, isAlone(id) { intake.foundNoRoomAlone() }
    }

    /// Processes the pushes at the head of a queue until one of them may be sent: expired pushes,
    /// those that must not be resent, and those that must wait for their device leave the queue.
    private mutating func settleHead(of app: AppID) {
        while let id = sending.head(of: app) {
            guard pushes.isCurrent(id), case .queued = pushes[id].state else {
                sending.removeHead(of: app)
                continue
            }
            guard !isClosed else {
                sending.removeHead(of: app)
                endUndelivered(id)
                continue
            }
            guard !waiting.isAbandoning || mayContinue(id) else {
                guard waiting.mayAbandon else {
                    return sending.waitForNextTurn(app)
                }
                sending.removeHead(of: app)
                abandon(id)
                continue
            }
            guard !intake.isHoldingBack || isAlone(id) else {
                return sending.waitForNextTurn(app)
            }
            guard !isPaused || !isHeldByPause(id) else {
                return sending.waitForNextTurn(app)
            }
            guard sending.allowsSending(app, now: now), settle(id, of: app) else { return }
        }
    }

    /// True when the push at the head of a queue has left it.
    private mutating func settle(_ id: PushID, of app: AppID) -> Bool {
        if pushes[id].isExpired(at: wallClock) {
            sending.removeHead(of: app)
            guard isClockInDoubt else {
                expire(id)
                return true
            }
            leaveOrder(id)
            sending.holdForClock(id)
        } else if isForUnregisteredDevice(id) {
            sending.removeHead(of: app)
            finish(id, dropped: .unregistered)
        } else if let newer = newerPush(than: id) {
            sending.removeHead(of: app)
            yield(id, to: newer)
        } else if pushes.isInDoubt(id), !mayResend(id) {
            sending.removeHead(of: app)
            reportDoubt(id)
        } else if let end = throttleEnd(id) {
            sending.removeHead(of: app)
            waitForDevice(id, until: end)
        } else if let moment = nextForDevice(id), moment > now {
            sending.removeHead(of: app)
            wait(id, for: .milliseconds(now.duration(to: moment).milliseconds))
        } else {
            return false
        }
        return true
    }
}
