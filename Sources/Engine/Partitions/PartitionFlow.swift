package import Delivery

/// Which partitions flow: the reasons for each pause, and the last state passed to the source. This
/// is the only type that knows them.
///
/// It contains owned partitions only: one that is revoked, or whose log was replaced, is removed
/// together with its reasons.
struct PartitionFlow: Sendable {
    /// Why a partition is paused, apart from a full window.
    struct Reasons: OptionSet, Hashable, Sendable {
        let rawValue: UInt8

        /// The room for waiting records is used up, and a record of this partition needed it.
        static let noRoomToWait = Reasons(rawValue: 1)
        /// It belongs to the retry topic, and its next record is not due.
        static let notDue = Reasons(rawValue: 2)
        /// Too many of its pushes wait for an app for which sending is suspended.
        static let suspendedApp = Reasons(rawValue: 4)
        /// What is done above its committed offset would no longer fit into a commit.
        static let noRoomInCommit = Reasons(rawValue: 8)
        /// Too much of it is done and not committed.
        static let uncommitted = Reasons(rawValue: 16)
        /// Few of its records may be open, or one of another partition is alone.
        static let oneAtATime = Reasons(rawValue: 32)
        /// The schema of one of its records is not known yet.
        static let schema = Reasons(rawValue: 64)
    }

    private struct Entry: Sendable {
        let assignment: AssignmentID
        var reasons: Reasons = []
        /// The app because of which it is paused, if any.
        var app = AppID.none
        /// When its next record is due, if it is paused for that.
        var dueAt = Instant.distantPast
        /// Whether the source was last asked to pause it.
        var isPaused = false
    }

    private var entries: [Entry] = []
    /// The window has been full for a while.
    private(set) var isWindowFull = false
    /// An operator has paused the connector.
    private(set) var isPausedByOperator = false
    /// The wall clock is in doubt.
    private(set) var isClockInDoubt = false
    /// Whether all partitions are paused, for whatever reason.
    var isEverythingPaused: Bool { isWindowFull || isPausedByOperator || isClockInDoubt }
    private var mayHaveChanged = false
    /// How many partitions are paused because a commit has no room for more.
    private var roomPauses = 0
    /// Whether any partition is paused because a commit has no room for more.
    var isPausedForCommits: Bool { roomPauses > 0 }
    /// When the next paused partition of the retry topic is due.
    private(set) var nextDue: Instant?

    /// Adds an owned partition; the source starts with it flowing.
    mutating func add(_ assignment: AssignmentID) {
        entries.append(Entry(assignment: assignment))
        mayHaveChanged = mayHaveChanged || isEverythingPaused
    }

    /// Removes a partition that is not owned any longer.
    mutating func remove(_ assignment: AssignmentID) {
        resume(assignment, from: .noRoomInCommit)
        entries.removeAll { $0.assignment == assignment }
    }

    /// True when a partition is paused for a reason.
    func isPaused(_ assignment: AssignmentID, for reason: Reasons) -> Bool {
        guard let index = index(of: assignment) else { return false }
        return entries[index].reasons.contains(reason)
    }

    /// Why a partition is paused.
    func reasons(of assignment: AssignmentID) -> Reasons {
        index(of: assignment).map { entries[$0].reasons } ?? []
    }

    /// The partitions that are paused for reasons of their own.
    var pausedPartitions: [AssignmentID: Reasons] {
        var paused: [AssignmentID: Reasons] = [:]
        for entry in entries where !entry.reasons.isEmpty {
            paused[entry.assignment] = entry.reasons
        }
        return paused
    }

    private func index(of assignment: AssignmentID) -> Int? {
        entries.lastIndex { $0.assignment == assignment }
    }

    /// Pauses a partition; true when the reason is new.
    @discardableResult
    mutating func pause(
        _ assignment: AssignmentID, for reason: Reasons, app: AppID = .none
    ) -> Bool {
        guard let index = index(of: assignment), !entries[index].reasons.contains(reason) else {
            return false
        }
        entries[index].reasons.insert(reason)
        if reason == .suspendedApp { entries[index].app = app }
        if reason == .noRoomInCommit { roomPauses += 1 }
        mayHaveChanged = true
        return true
    }

    /// Removes a reason from all partitions that were paused for it and for certain apps.
    mutating func resumeAll(
        from reason: Reasons, _ isMeant: (_ app: AppID) -> Bool = { _ in true }
    ) {
        for index in entries.indices
        where entries[index].reasons.contains(reason) && isMeant(entries[index].app) {
            entries[index].reasons.remove(reason)
            mayHaveChanged = true
        }
    }

    /// A reason ends for one partition.
    mutating func resume(_ assignment: AssignmentID, from reason: Reasons) {
        guard let index = index(of: assignment), entries[index].reasons.contains(reason) else {
            return
        }
        entries[index].reasons.remove(reason)
        if reason == .noRoomInCommit { roomPauses -= 1 }
        mayHaveChanged = true
    }

    /// Pauses a partition of the retry topic until its next record is due.
    mutating func pauseUntilDue(_ assignment: AssignmentID, until end: Instant) {
        guard let index = index(of: assignment) else { return }
        let isPaused = entries[index].reasons.contains(.notDue)
        entries[index].dueAt = isPaused ? min(entries[index].dueAt, end) : end
        nextDue = min(nextDue ?? end, end)
        pause(assignment, for: .notDue)
    }

    /// Resumes the partitions of the retry topic whose next record is due.
    mutating func resumeDue(now: Instant) {
        guard let end = nextDue, end <= now else { return }
        nextDue = nil
        for index in entries.indices where entries[index].reasons.contains(.notDue) {
            let end = entries[index].dueAt
            if end <= now {
                entries[index].reasons.remove(.notDue)
                mayHaveChanged = true
            } else {
                nextDue = min(nextDue ?? end, end)
            }
        }
    }

    /// Pauses or resumes all partitions because of the window.
    mutating func pauseEverything(_ isPaused: Bool) {
        isWindowFull = isPaused
        mayHaveChanged = true
    }

    /// Pauses or resumes all partitions, including later ones, at an operator's request.
    mutating func pauseByOperator(_ isPaused: Bool) {
        isPausedByOperator = isPaused
        mayHaveChanged = true
    }

    /// Pauses or resumes all partitions, including later ones, because of the wall clock.
    mutating func pauseForClock(_ isPaused: Bool) {
        isClockInDoubt = isPaused
        mayHaveChanged = true
    }

    /// The changes since the last call; nil when there are none.
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

/// Changes of partition flow for the source to apply.
package struct FlowChange: Equatable, Sendable {
    /// The partitions to pause.
    package var pause: [AssignmentID] = []
    /// The partitions to resume.
    package var resume: [AssignmentID] = []
}
