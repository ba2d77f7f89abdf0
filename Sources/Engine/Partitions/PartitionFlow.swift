internal import Delivery

/// Which partitions flow: who asked for a pause, and what the source was told. Nobody else knows.
///
/// It knows the partitions that this worker owns, and no others: one that is revoked or whose log
/// was replaced leaves with all reasons that it had.
struct PartitionFlow: Sendable {
    /// Why the records of a partition do not flow, beside a full window.
    struct Reasons: OptionSet, Sendable {
        let rawValue: UInt8

        /// What waits has no more room outside the window, and came from this partition.
        static let noRoomToWait = Reasons(rawValue: 1)
        /// It is one of the retry topic, and its next record is not due.
        static let notDue = Reasons(rawValue: 2)
        /// Too much of it waits for an app for which sending is suspended.
        static let suspendedApp = Reasons(rawValue: 4)
    }

    private struct Entry: Sendable {
        let assignment: AssignmentID
        var reasons: Reasons = []
        /// The app that it is paused for, while it is for one.
        var app = AppID.none
        /// Until when it rests, because its next record is not due.
        var restsUntil = Instant.distantPast
        /// What the source was told last.
        var isPaused = false
    }

    private var entries: [Entry] = []
    /// The window was full for a while.
    private(set) var isEverythingPaused = false
    private var mayHaveChanged = false
    /// When the next partition has rested long enough.
    private(set) var nextRestEnd: Instant?

    /// A partition is owned from now on; the source lets it flow.
    mutating func add(_ assignment: AssignmentID) {
        entries.append(Entry(assignment: assignment))
        mayHaveChanged = mayHaveChanged || isEverythingPaused
    }

    /// A partition is no longer owned: the source is told nothing more about it.
    mutating func remove(_ assignment: AssignmentID) {
        entries.removeAll { $0.assignment == assignment }
    }

    private func index(of assignment: AssignmentID) -> Int? {
        entries.lastIndex { $0.assignment == assignment }
    }

    /// Stops the flow of a partition; true when that reason is new.
    @discardableResult
    mutating func pause(
        _ assignment: AssignmentID, for reason: Reasons, app: AppID = .none
    ) -> Bool {
        guard let index = index(of: assignment), !entries[index].reasons.contains(reason) else {
            return false
        }
        entries[index].reasons.insert(reason)
        if reason == .suspendedApp { entries[index].app = app }
        mayHaveChanged = true
        return true
    }

    /// A reason ends for all partitions that were paused for one of certain apps.
    mutating func resumeAll(
        from reason: Reasons, _ isMeant: (_ app: AppID) -> Bool = { _ in true }
    ) {
        for index in entries.indices
        where entries[index].reasons.contains(reason) && isMeant(entries[index].app) {
            entries[index].reasons.remove(reason)
            mayHaveChanged = true
        }
    }

    /// A partition of the retry topic rests until its next record is due.
    mutating func rest(_ assignment: AssignmentID, until end: Instant) {
        guard let index = index(of: assignment) else { return }
        let isResting = entries[index].reasons.contains(.notDue)
        entries[index].restsUntil = isResting ? min(entries[index].restsUntil, end) : end
        nextRestEnd = min(nextRestEnd ?? end, end)
        pause(assignment, for: .notDue)
    }

    /// Lets partitions flow again that have rested long enough.
    mutating func endRests(now: Instant) {
        guard let end = nextRestEnd, end <= now else { return }
        nextRestEnd = nil
        for index in entries.indices where entries[index].reasons.contains(.notDue) {
            let end = entries[index].restsUntil
            if end <= now {
                entries[index].reasons.remove(.notDue)
                mayHaveChanged = true
            } else {
                nextRestEnd = min(nextRestEnd ?? end, end)
            }
        }
    }

    /// Stops the flow of all partitions, or lets it go on.
    mutating func pauseEverything(_ isPaused: Bool) {
        isEverythingPaused = isPaused
        mayHaveChanged = true
    }

    /// What has changed since the last time; nil when nothing has.
    mutating func takeChange() -> FlowChange? {
        guard mayHaveChanged else { return nil }
        mayHaveChanged = false
        var change = FlowChange()
        for index in entries.indices {
            let isPaused = isEverythingPaused || !entries[index].reasons.isEmpty
            guard entries[index].isPaused != isPaused else { continue }
            entries[index].isPaused = isPaused
            if isPaused {
                change.pause.append(entries[index].assignment)
            } else {
                change.resume.append(entries[index].assignment)
            }
        }
        return change
    }
}
