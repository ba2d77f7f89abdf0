package import Delivery

/// How many records are taken, and which partitions flow.
extension Engine {
    private var room: Int { phase == .running ? window.room : 0 }

    /// Decides, once a turn, whether everything is to be paused because the window was full for a
    /// while.
    package mutating func regulateIntake() {
        guard phase == .running else { return }
        let isPaused = flow.isEverythingPaused
        let shouldPause = intake.shouldPause(
            isPaused, room: window.room, of: settings.maxInFlight, now: now)
        if shouldPause != isPaused { flow.pauseEverything(shouldPause) }
    }

    /// How many records to ask the source for now, after `taken` in this turn; nil when the turn
    /// has had enough of them.
    package func takeLimit(taken: Int) -> Int? {
        guard taken < Intake.batch else { return nil }
        return intake.limit(flow.isEverythingPaused, room: window.batch)
    }

    /// The source was asked for `limit` records and had `taken`.
    package mutating func asked(limit: Int, taken: Int) {
        intake.asked(limit: limit, taken: taken, flow.isEverythingPaused, now: now)
    }

    /// When the source is to be asked next.
    package var nextTake: Instant {
        intake.nextCall(flow.isEverythingPaused, room: room, now: now)
    }

    /// What the source is to be told about the flow of its partitions; nil when nothing has
    /// changed.
    package mutating func takeFlowChange() -> FlowChange? { flow.takeChange() }
}
