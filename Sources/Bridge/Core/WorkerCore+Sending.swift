internal import Delivery
internal import EventLoop

/// Which notification is sent next, and what is remembered of it.
extension WorkerCore {
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
}
