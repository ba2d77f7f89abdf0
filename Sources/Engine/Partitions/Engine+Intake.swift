package import Delivery

/// How many records are taken, and which partitions flow.
extension Engine {
    /// How many more records may be taken now.
    private var room: Int {
        phase == .running && !isWaitingForStarts ? min(window.room, queueRoom) : 0
    }

    /// How many more pushes may wait to be sent.
    private var queueRoom: Int { queues.room(forEach: settings.maxQueued) }

    /// A quarter of the window is free, and of what may wait to be sent.
    private var hasMuchRoom: Bool {
        !isWaitingForStarts && window.room * 4 >= settings.maxInFlight
            && queueRoom * 4 >= settings.maxQueued
    }

    /// Decides, once a turn, whether to pause everything because there has been no room for a
    /// while.
    package mutating func regulateIntake() {
        guard phase == .running else { return }
        let isPaused = flow.isWindowFull
        let shouldPause = intake.shouldPause(
            isPaused, hasRoom: room > 0, hasMuchRoom: isPaused && hasMuchRoom, now: now)
        if shouldPause != isPaused { flow.pauseEverything(shouldPause) }
    }

    /// The number of records to ask the source for after `taken` in this turn; nil when the turn
    /// has taken enough.
    package func takeLimit(taken: Int) -> Int? {
        guard taken < Intake.batch else { return nil }
        let room = isWaitingForStarts ? 0 : min(window.batch, queueRoom)
        return intake.limit(flow.isEverythingPaused, room: room)
    }

    /// The source was asked for `limit` records and returned `taken`.
    package mutating func asked(limit: Int, taken: Int) {
        intake.asked(limit: limit, taken: taken, flow.isEverythingPaused, now: now)
        advanceSchemas()
        advanceHeld()
    }

    /// When to poll the source next.
    package var nextTake: Instant {
        let next = intake.nextCall(flow.isEverythingPaused, room: room, now: now)
        guard let end = sole.countEnd, now < end else { return next }
        return min(next, end)
    }

    /// Stops or resumes taking records and sending pushes at an operator's request. What is in
    /// flight ends, and what was taken waits: the time does not count towards its deadline.
    package mutating func setPaused(_ isPaused: Bool) {
        guard isPaused != self.isPaused else { return }
        flow.pauseByOperator(isPaused)
        if isPaused {
            queues.pausedSince = now
        } else if let since = queues.pausedSince {
            queues.pausedSince = nil
            queues.startTurn()
            queues.headsChanged = true
            allow(queues.apps, suspendedSince: since)
        }
    }

    /// True while an operator has paused the connector.
    package var isPaused: Bool { flow.isPausedByOperator }

    /// True when a push must wait because an operator has paused the connector. What is handed over
    /// and was sent in part is finished, so that the next owner does not repeat it.
    func isHeldByPause(_ id: PushID) -> Bool {
        isPaused && phase == .running && !isFinishedHere(id)
    }

    /// The changes of flow to pass to the source; nil when there are none.
    package mutating func takeFlowChange() -> FlowChange? { flow.takeChange() }
}
