internal import Delivery

/// Whether the wall clock can be right: while it is in doubt, no record is taken.
extension Intake {
    /// True when the wall clock must be judged now.
    mutating func mustJudgeClock(_ wallClock: Int64, bootTime: Instant, now: Instant) -> Bool {
        clock.mustBeJudged(wallClock, bootTime, now: now)
    }

    /// Judges the wall clock, which has parted from the time that the machine has been running.
    mutating func judgeClock(
        _ wallClock: Int64, isSynchronized: Bool, brokerTime: BrokerTime?, now: Instant
    ) -> ClockWatch.Change {
        let isProven = isSynchronized || agrees(wallClock, brokerTime, now: now)
        let change = clock.judge(wallClock, isProven: isProven, now: now)
        switch change {
        case .nothing, .vouchedFor: break
        case .suspected: flow.pauseForClock(true)
        case .trusted: flow.pauseForClock(false)
        }
        return change
    }

    /// A broker's time of a record that was stored since the clock came into doubt, if the wall
    /// clock agreed with it then.
    private func agrees(_ wallClock: Int64, _ brokerTime: BrokerTime?, now: Instant) -> Bool {
        guard let brokerTime, let since = clock.suspectedSince, brokerTime.receivedAt > since else {
            return false
        }
        let age = brokerTime.receivedAt.duration(to: now).milliseconds
        return abs(wallClock - age - brokerTime.time) <= ClockWatch.tolerance
    }

    /// Compares the wall clock with the broker's time of a record that is taken.
    mutating func compareClock(_ wallClock: Int64, with appended: AppendTime, now: Instant) {
        clock.compare(appended, wallClock, now: now)
    }

    /// An operator confirms that the wall clock is right.
    mutating func confirmClock(_ wallClock: Int64) {
        clock.confirm(wallClock)
        flow.pauseForClock(false)
    }

    /// True while the wall clock is in doubt.
    var isClockInDoubt: Bool { clock.isInDoubt }

    /// Since when the wall clock has been in doubt; nil while it is trusted.
    var clockSuspectedSince: Instant? { clock.suspectedSince }

    /// When the next proof is looked for that the wall clock is right; nil while it is trusted.
    var nextClockProof: Instant? { clock.deadline }
}
