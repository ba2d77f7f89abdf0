internal import Delivery
internal import EventLoop

/// How many records are taken, and which partitions flow. `queueRoom` is how many more pushes may
/// wait to be sent.
extension Intake {
    /// How many more records may be taken now.
    private func room(_ queueRoom: Int, now: Instant) -> Int {
        phase == .running && !isWaitingForStarts(now: now) ? min(window.room, queueRoom) : 0
    }

    /// Pauses everything, or resumes it, because there has been no room for a while, or much again:
    /// a quarter of the window, and of what may wait to be sent.
    mutating func regulate(queueRoom: Int, now: Instant) {
        guard phase == .running else { return }
        let isPaused = flow.isWindowFull
        let hasMuchRoom =
            isPaused && !isWaitingForStarts(now: now) && window.room * 4 >= window.maxRecords
            && queueRoom * 4 >= maxQueued
        let shouldPause = pace.shouldPause(
            isPaused, hasRoom: room(queueRoom, now: now) > 0, hasMuchRoom: hasMuchRoom, now: now)
        if shouldPause != isPaused { flow.pauseEverything(shouldPause) }
    }

    /// The number of records to ask the source for after `taken` in this turn; nil when the turn
    /// has taken enough.
    func takeLimit(taken: Int, queueRoom: Int, now: Instant) -> Int? {
        guard taken < PollPace.batch else { return nil }
        let room = isWaitingForStarts(now: now) ? 0 : min(window.batch, queueRoom)
        return pace.limit(flow.isEverythingPaused, room: room)
    }

    /// The source was asked for `limit` records and returned `taken`.
    mutating func asked(limit: Int, taken: Int, now: Instant) {
        pace.asked(limit: limit, taken: taken, flow.isEverythingPaused, now: now)
    }

    /// When to poll the source next.
    func nextTake(queueRoom: Int, now: Instant) -> Instant {
        let room = room(queueRoom, now: now)
        let next = pace.nextCall(flow.isEverythingPaused, room: room, now: now)
        guard let end = sole.countEnd, now < end else { return next }
        return min(next, end)
    }

    /// Stops or resumes taking records at an operator's request.
    mutating func setPaused(_ isPaused: Bool) { flow.pauseByOperator(isPaused) }

    /// True while an operator has paused the connector.
    var isPaused: Bool { flow.isPausedByOperator }

    /// The changes of flow to pass to the source; nil when there are none.
    mutating func takeFlowChange() -> FlowChange? { flow.takeChange() }

    /// When a paused partition of the retry topic is due; nil when none is paused for that.
    var nextDue: Instant? { flow.nextDue }

    /// Resumes the partitions of the retry topic whose next record is due.
    mutating func resumeDue(now: Instant) { flow.resumeDue(now: now) }

    /// Pauses a partition of the retry topic until its next record is due.
    mutating func pauseUntilDue(_ id: AssignmentID, until end: Instant) {
        flow.pauseUntilDue(id, until: end)
    }

    /// Pauses an owned partition because too many of its pushes wait for an app; true when it was
    /// not paused for that.
    mutating func pause(_ id: AssignmentID, for app: AppID) -> Bool {
        isOwned(id) && flow.pause(id, for: .suspendedApp, app: app)
    }

    /// Resumes the partitions that were paused for certain apps.
    mutating func resumePartitions(of apps: [AppID]) {
        flow.resumeAll(from: .suspendedApp) { apps.contains($0) }
    }
}

// MARK: Records in the window, and outside of it

extension Intake {
    /// The number of records in flight.
    var recordsInFlight: Int { window.records }
    /// The number of records waiting outside the window.
    var waitingRecords: Int { waitingWindow.records }
    /// The size of waiting records in bytes.
    var waitingBytes: Int { waitingWindow.bytes }
    /// The size of all open records in bytes.
    var openBytes: Int { window.bytes + waitingWindow.bytes }

    /// A record is open: it counts against the window.
    mutating func opened(_ index: Int, bytes: Int) {
        window.open(bytes: bytes)
        partitions[index].openRecords += 1
    }

    /// Moves a waiting record out of the window; false when no more records may wait outside it.
    mutating func moveOutsideWindow(bytes: Int) -> Bool {
        guard waitingWindow.room > 0 else { return false }
        window.close(bytes: bytes)
        waitingWindow.open(bytes: bytes)
        return true
    }

    /// Pauses a partition whose records have no room to wait.
    mutating func pauseWithoutRoomToWait(_ id: AssignmentID) { flow.pause(id, for: .noRoomToWait) }

    /// True when records of stalled apps may still move out of the window: the last eighth of the
    /// room is for retries.
    var hasRoomForStalled: Bool { !waitingWindow.isFilled(8, to: 7) }

    /// True when partitions whose records wait for a stalled app are paused: of the last quarter of
    /// the room, half is for records still to come.
    var isShortOfWaitingRoom: Bool { waitingWindow.isFilled(4, to: 3) }

    /// A record is closed: its room is free again. Its offset is done, unless it is abandoned.
    mutating func closed(_ record: ClosedRecord, now: Instant) -> [Notice] {
        let id = record.assignment
        leaveWindow(isOutside: record.isOutsideWindow, bytes: record.bytes)
        guard let index = partitions.index(of: id) else {
            if !record.isAbandoned { departed.complete(record.offset, of: id) }
            return []
        }
        partitions[index].openRecords -= 1
        if partitions[index].state == .replaced {
            removeIfFinished(id)
            return []
        }
        return record.isAbandoned ? [] : complete(record.offset, of: index, id, now: now)
    }

    private mutating func leaveWindow(isOutside: Bool, bytes: Int) {
        guard isOutside else { return window.close(bytes: bytes) }
        waitingWindow.close(bytes: bytes)
        let hasRoom =
            waitingWindow.records <= waitingWindow.maxRecords / 4 * 3
            && waitingWindow.bytes <= waitingWindow.maxBytes / 4 * 3
        if hasRoom { flow.resumeAll(from: .noRoomToWait) }
        if !waitingWindow.isFilled(2, to: 1) { flow.resumeAll(from: .suspendedApp) }
    }
}

extension InFlightWindow {
    /// True when the given fraction of the room is used, in records or in bytes.
    func isFilled(_ parts: Int, to count: Int) -> Bool {
        records * parts >= maxRecords * count || bytes >= maxBytes / parts * count
    }
}
