internal import Delivery
internal import EventLoop

/// What time does: it lets go on what waits, and ends what has waited too long.
extension WorkerCore {
    /// How often open notifications are looked through for a passed deadline.
    static var sweepInterval: UInt64 { 1_000_000_000 }

    /// Its time is over: it is not sent any more.
    mutating func expire(_ place: Int) {
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
