internal import Delivery
internal import EventLoop

/// Why the records of a partition do not flow, beside a full window.
struct PauseReasons: OptionSet, Sendable {
    let rawValue: UInt8

    /// What waits has no more room outside the window, and came from this partition.
    static let parked = PauseReasons(rawValue: 1)
    /// It is one of the retry topic, and its next record is not due.
    static let notDue = PauseReasons(rawValue: 2)
    /// Too much of it waits for an app whose line does not move.
    static let heldApp = PauseReasons(rawValue: 4)
}

/// What the source is to be told about the flow of its partitions.
struct FlowChange: Equatable, Sendable {
    var pause: [AssignmentID] = []
    var resume: [AssignmentID] = []
}

/// Where records stay that wait for time to pass: outside the window, so that others go on.
extension WorkerCore {
    /// A notification waits for time to pass. When all that is left of its record does, that takes
    /// no place in the window any more, as long as there is room beside it.
    mutating func setAside(_ place: Int) {
        let record = notifications[place].record
        if !notifications[place].isSetAside {
            notifications[place].isSetAside = true
            records[record].setAside += 1
        }
        park(record: record, place)
    }

    /// What stands in a row behind a notification waits with it.
    mutating func setRowAside(behind place: Int) {
        var next = notifications[place].successor
        while let follower = next, !notifications[follower].isSetAside {
            setAside(follower)
            next = notifications[follower].successor
        }
    }

    /// True when a notification that is added behind this one waits for time to pass, too.
    func holdsItsRow(_ place: Int) -> Bool {
        switch notifications[place].stage {
        case .parked: true
        case .waiting: notifications[place].isSetAside
        case .free, .ready, .sent, .reporting, .guarded: false
        }
    }

    /// Moves a record out of the window when all that is left of it waits; once out, it stays so
    /// until it is done. Where there is no room it goes to the retry topic, if there is one; else
    /// its partition is paused. `place` is one of its notifications.
    mutating func park(record: Int, _ place: Int? = nil) {
        guard !records[record].isParked,
            records[record].setAside == records[record].remaining
        else { return }
        let bytes = records[record].byteCount
        records[record].detach()
        guard parkedWindow.room > 0 else {
            if spill(record: record, place) { return }
            return pause(records[record].assignment, for: .parked)
        }
        window.close(bytes: bytes)
        parkedWindow.open(bytes: bytes)
        records[record].isParked = true
    }

    /// A record is done: its place is free.
    mutating func giveBackPlace(isParked: Bool, bytes: Int) {
        guard isParked else { return window.close(bytes: bytes) }
        parkedWindow.close(bytes: bytes)
        let hasRoom =
            parkedWindow.records <= parkedWindow.maxRecords / 4 * 3
            && parkedWindow.bytes <= parkedWindow.maxBytes / 4 * 3
        if hasRoom, pauses.contains(.parked) { endPause(for: .parked) }
        if pauses.contains(.heldApp), !parkedWindow.isFilled(2, to: 1) { endPause(for: .heldApp) }
    }
}

/// Which partitions flow.
extension WorkerCore {
    /// Stops the flow of one partition.
    mutating func pause(_ assignment: AssignmentID, for reason: PauseReasons) {
        guard let index = partitions.index(of: assignment),
            !partitions[index].pauses.contains(reason)
        else { return }
        partitions[index].pauses.insert(reason)
        pauses.insert(reason)
        isFlowDirty = true
    }

    /// Lets all partitions flow again that were paused for a reason.
    mutating func endPause(for reason: PauseReasons) {
        pauses.remove(reason)
        isFlowDirty = true
        for id in partitions.all {
            guard let index = partitions.index(of: id) else { continue }
            partitions[index].pauses.remove(reason)
        }
    }

    /// Stops the flow of all partitions, or lets it go on.
    mutating func pauseAll(_ isPaused: Bool) {
        pausesAll = isPaused
        isFlowDirty = true
    }

    /// What has changed since the last time; nil when nothing has.
    mutating func takeFlowChange() -> FlowChange? {
        guard isFlowDirty else { return nil }
        isFlowDirty = false
        var change = FlowChange()
        for id in partitions.all {
            guard let index = partitions.index(of: id), partitions[index].state == .owned else {
                continue
            }
            let isPaused = pausesAll || !partitions[index].pauses.isEmpty
            guard partitions[index].isPaused != isPaused else { continue }
            partitions[index].isPaused = isPaused
            if isPaused { change.pause.append(id) } else { change.resume.append(id) }
        }
        return change
    }
}
