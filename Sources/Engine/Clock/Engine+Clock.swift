package import Delivery

/// What happens while the wall clock is in doubt: nothing expires, and no record is taken. What
/// does not look expired is sent.
extension Engine {
    /// True when ``judgeClock(isSynchronized:brokerTime:)`` must be called in this turn.
    package mutating func mustJudgeClock(bootTime: Instant) -> Bool {
        intake.mustJudgeClock(wallClock, bootTime: bootTime, now: now)
    }

    /// Judges the wall clock, which has parted from the time that the machine has been running.
    ///
    /// The system's word that a time source keeps it right counts, and so does a broker's time of a
    /// record that was written since.
    package mutating func judgeClock(isSynchronized: Bool, brokerTime: BrokerTime?) {
        let since = intake.clockSuspectedSince
        let change = intake.judgeClock(
            wallClock, isSynchronized: isSynchronized, brokerTime: brokerTime, now: now)
        switch change {
        case .nothing: break
        case .suspected(let step, let byBroker):
            notices.append(.clockDoubted(step: step, byBroker: byBroker))
        case .vouchedFor: sending.releaseHeldForClock(pushes)
        case .trusted: trustClock(byOperator: false, since)
        }
    }

    /// True while the wall clock is in doubt.
    package var isClockInDoubt: Bool { intake.isClockInDoubt }

    /// For how long the wall clock has been in doubt; nil while it is trusted.
    package var clockDoubt: Duration? { intake.clockSuspectedSince.map { $0.duration(to: now) } }

    /// An operator confirms that the wall clock is right; false if it was not in doubt.
    @discardableResult
    package mutating func releaseClock() -> Bool {
        guard isClockInDoubt else { return false }
        let since = intake.clockSuspectedSince
        intake.confirmClock(wallClock)
        trustClock(byOperator: true, since)
        return true
    }

    /// The time in doubt does not count towards the deadlines of pushes.
    private mutating func trustClock(byOperator: Bool, _ since: Instant?) {
        if let since { allow(sending.apps, suspendedSince: since) }
        notices.append(.clockTrusted(byOperator: byOperator))
        sending.releaseHeldForClock(pushes)
    }
}
