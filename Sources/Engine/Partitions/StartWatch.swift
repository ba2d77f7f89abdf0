internal import Delivery

/// Whether this start of a partition makes progress, and which of its records may be what crashes
/// the worker.
///
/// A partition whose last starts made no progress has its records taken one at a time: a record is
/// named in a stored commit before it is taken, and again before it is sent.
struct StartWatch: Sendable {
    /// After this many starts without progress, records are taken one at a time.
    static let toleratedStarts = 3
    /// How many records are taken so, if none of them crashes the worker.
    static let singleRecords = 1000
    /// A record that has crashed the worker this often while it was tried is ended.
    static let toleratedCrashes = 2
    /// How long taking records waits at most for the commit that counts this start.
    static let timeout = Duration.milliseconds(300)
    /// A worker that has nothing open after this time did not crash because of what it took.
    static let survival = Duration.seconds(10)

    private let startsBefore: Int
    /// The committed offset at the start; nil for a start that is not counted.
    private let first: Int64?
    private let since: Instant
    private(set) var hasProgressed = false
    /// True once a record was taken.
    var hasTaken = false
    /// True when the commit that counts this start is stored, or there is none.
    var isStored: Bool

    /// The records that may be what crashes the worker, by offset. One is being tried at most.
    var suspects: [SuspectRecord] = []
    /// True while Kafka may have a commit that names a record as being tried.
    var isNamedInCommit = false
    /// How many more records are taken one at a time; nil for a partition that flows normally.
    private(set) var singlesLeft: Int?
    /// Records that have arrived and are not taken, in order: their slots.
    var held: [Int] = []
    /// The record being tried, once it is taken.
    var current: RecordID?
    /// The offset whose pushes may be sent; nil when none may.
    var cleared: Int64?
    /// Pushes that could be sent once their record is named as sent.
    var aside: [PushID] = []

    /// Reads what earlier starts have left behind. With `counts` false, this start is not counted.
    init(_ assigned: AssignedPartition, _ tracker: OffsetTracker, counts: Bool, now: Instant) {
        let mark = StartMark(metadata: counts ? assigned.metadata : "")
        startsBefore = mark.starts
        first = counts ? assigned.committed : nil
        isStored = !counts || assigned.committed == nil
        since = now
        suspects = mark.suspects.filter { !tracker.isPast($0.offset) }
        for index in suspects.indices where suspects[index].isBeingTried {
            suspects[index].crashes += 1
            suspects[index].isBeingTried = false
        }
        if startsBefore >= Self.toleratedStarts || !suspects.isEmpty {
            singlesLeft = Self.singleRecords
        }
    }

    /// True when records are taken one at a time.
    var isSingle: Bool { singlesLeft != nil }
    /// True when records do not pass freely.
    var isHolding: Bool { isSingle || !held.isEmpty }
    /// The starts without progress, including this one.
    var starts: Int { first == nil || hasProgressed ? 0 : startsBefore + 1 }
    /// The record being tried.
    var tried: SuspectRecord? { suspects.first { $0.isBeingTried } }

    /// What the next commit, of the offset `next`, records.
    mutating func mark(next: Int64) -> StartMark {
        if let first, next > first { hasProgressed = true }
        isNamedInCommit = isNamedInCommit || tried != nil
        return StartMark(starts: starts, suspects: suspects)
    }

    /// What the last commit records: it ends this start cleanly. Without a record taken, the start
    /// has shown nothing.
    mutating func lastMark(next: Int64) -> StartMark {
        _ = mark(next: next)
        for index in suspects.indices { suspects[index].isBeingTried = false }
        return StartMark(
            starts: hasProgressed || hasTaken ? 0 : startsBefore,
            suspects: suspects.filter { $0.crashes > 0 })
    }

    /// True when nothing is open long after the start: what it took cannot be what crashes.
    mutating func hasJustSurvived(isIdle: Bool, now: Instant) -> Bool {
        guard starts > 0, !isHolding, isIdle, now >= since + Self.survival else { return false }
        hasProgressed = true
        return true
    }

    /// Names a record that is to be taken or sent; false when too many are named already.
    mutating func name(_ offset: Int64, asSent isSent: Bool) -> Bool {
        if let index = suspects.firstIndex(where: { $0.offset == offset }) {
            suspects[index].isBeingTried = true
            suspects[index].wasSent = suspects[index].wasSent || isSent
            return true
        }
        guard suspects.count < StartMark.maxSuspects else { return false }
        suspects.append(SuspectRecord(offset: offset, isBeingTried: true, wasSent: isSent))
        suspects.sort { $0.offset < $1.offset }
        return true
    }

    /// The record being tried has to wait: a crash meanwhile does not count against it. What has
    /// never crashed is not named any longer.
    mutating func stopTrying() {
        for index in suspects.indices { suspects[index].isBeingTried = false }
        suspects.removeAll { $0.crashes == 0 }
        current = nil
        cleared = nil
    }

    /// A record is done; true when it was the last one to be taken alone.
    mutating func finished(_ offset: Int64) -> Bool {
        suspects.removeAll { $0.offset == offset }
        if cleared == offset { cleared = nil }
        guard let left = singlesLeft else { return false }
        singlesLeft = max(0, left - 1)
        return left <= 1
    }

    /// From now on records are taken as usual.
    mutating func endSingleRecords() {
        singlesLeft = nil
        suspects = []
        current = nil
        cleared = nil
    }
}
