package import Delivery
internal import EventLoop

/// What happens while the wall clock is in doubt: nothing expires, and no record is taken. What
/// does not look expired is sent.
extension Engine {
    /// True when ``judgeClock(isSynchronized:brokerTime:)`` must be called in this turn.
    package mutating func mustJudgeClock(bootTime: Instant) -> Bool {
        clock.mustBeJudged(wallClock, bootTime, now: now)
    }

    /// Judges the wall clock, which has parted from the time that the machine has been running.
    ///
    /// The system's word that a time source keeps it right counts, and so does a broker's time of a
    /// record that was written since.
    package mutating func judgeClock(isSynchronized: Bool, brokerTime: BrokerTime?) {
        let isProven = isSynchronized || agrees(brokerTime)
        let since = clock.suspectedSince
        switch clock.judge(wallClock, isProven: isProven, now: now) {
        case .nothing: break
        case .suspected(let step, let byBroker): suspectClock(step, byBroker)
        case .vouchedFor: releaseHeld()
        case .trusted: trustClock(byOperator: false, since)
        }
    }

    /// Compares the wall clock with the broker's time of a record that is taken.
    mutating func compareClock(with appended: AppendTime) {
        clock.compare(appended, wallClock, now: now)
    }

    /// True while the wall clock is in doubt.
    package var isClockInDoubt: Bool { clock.isInDoubt }

    /// For how long the wall clock has been in doubt; nil while it is trusted.
    package var clockDoubt: Duration? { clock.suspectedSince.map { $0.duration(to: now) } }

    /// An operator confirms that the wall clock is right; false if it was not in doubt.
    @discardableResult
    package mutating func releaseClock() -> Bool {
        guard isClockInDoubt else { return false }
        let since = clock.suspectedSince
        clock.confirm(wallClock)
        trustClock(byOperator: true, since)
        return true
    }

    /// A broker's time of a record that was stored since the clock came into doubt, if the wall
    /// clock agreed with it then.
    private func agrees(_ brokerTime: BrokerTime?) -> Bool {
        guard let brokerTime, let since = clock.suspectedSince, brokerTime.heardAt > since else {
            return false
        }
        let age = brokerTime.heardAt.duration(to: now).milliseconds
        return abs(wallClock - age - brokerTime.time) <= ClockWatch.tolerance
    }

    private mutating func suspectClock(_ step: Int64, _ byBroker: Bool) {
        flow.pauseForClock(true)
        notices.append(.clockDoubted(step: step, byBroker: byBroker))
    }

    /// The time in doubt does not count towards the deadlines of pushes.
    private mutating func trustClock(byOperator: Bool, _ since: Instant?) {
        flow.pauseForClock(false)
        if let since { allow(queues.apps, suspendedSince: since) }
        notices.append(.clockTrusted(byOperator: byOperator))
        releaseHeld()
    }

    private mutating func releaseHeld() {
        for id in clock.releaseHeld().reversed()
        where pushes.isCurrent(id) && pushes[id].state.kind == .queued {
            queues[pushes[id].app].pushes.prepend(id)
            queues.headsChanged = true
        }
    }
}
