internal import Delivery

/// Whether this start of a partition makes progress.
///
/// A start counts while something of the partition is in flight: an end of the process then is one
/// without progress. After three of them the first record is taken alone, and those behind it in
/// batches, each twice as large as the one before. A batch is committed before the next one begins,
/// so that an end of the process cannot undo it.
struct StartWatch: Sendable {
    /// After this many starts without progress, the first record is taken alone.
    static let toleratedStarts = 3
    /// After this many more, it is ended.
    static let toleratedEnds = 2
    /// How long the first records wait at most for the commit that counts this start.
    static let maxDelay = Duration.milliseconds(300)
    /// After a batch of so many records, a partition flows normally again.
    static let largestBatch = 512

    /// The starts without progress before this one.
    let startsBefore: Int
    /// The committed offset at the start; nil for a start that is not counted.
    private var first: Int64?
    private(set) var hasProgressed = false
    /// True once a record was taken.
    var hasTaken = false
    /// True while this start counts: commits say so.
    private(set) var isCounted = false
    /// Until when records wait for the commit that says so.
    private var countEnd = Instant.distantPast
    /// True when Kafka has a commit that counts this start.
    private(set) var isCountStored = false
    /// True when the first record may have been sent: commits say so.
    private(set) var wasSent: Bool
    /// True when Kafka has a commit that says so.
    private(set) var isSentStored: Bool
    /// The size of the batch of records that is taken; nil for a partition that flows normally.
    private(set) var batch: Int?
    /// How many records of the batch were taken, and how many are done.
    private var (taken, done) = (0, 0)
    /// True while a commit that says that the batch is done is in progress, and once it is stored.
    private var isBatchInCommit = false
    private(set) var isBatchCommitted = false
    /// The first record, once it was taken alone.
    var firstRecord: RecordID?
    /// Records that have arrived and are not taken, in order: their slots in ``HeldRecords``.
    var held: [Int] = []

    /// Reads what earlier starts have left behind. With `counts` false, this start is not counted.
    init(_ assigned: AssignedPartition, counts: Bool) {
        let mark = StartMark(
            metadata: counts ? assigned.metadata : "", next: assigned.committed ?? 0)
        // One less than the highest, so that this start can be distinguished from those before.
        startsBefore = min(mark.starts, StartMark.highestCount - 1)
        first = counts ? assigned.committed : nil
        wasSent = mark.wasSent
        isSentStored = mark.wasSent
        if first != nil, startsBefore >= Self.toleratedStarts { batch = 1 }
    }

    /// True until there is progress, for a start that may count.
    var isWatched: Bool { first != nil && !hasProgressed }
    /// True when the first record is taken and sent alone.
    var needsToBeAlone: Bool { isWatched && startsBefore >= Self.toleratedStarts }
    /// True when the first record is ended.
    var endsFirstRecord: Bool {
        needsToBeAlone && startsBefore >= Self.toleratedStarts + Self.toleratedEnds
    }
    /// True when records must wait for the commit that counts this start.
    func awaitsCount(now: Instant) -> Bool {
        isWatched && isCounted && !isCountStored && now < countEnd
    }

    /// The starts without progress, with this one while it counts. While records are taken in
    /// batches, the next start begins alone, too.
    var starts: Int {
        guard first != nil else { return 0 }
        guard !hasProgressed else { return batch == nil ? 0 : Self.toleratedStarts }
        return startsBefore + (isCounted ? 1 : 0)
    }

    /// The partition is committed up to `next`, or could be.
    mutating func note(next: Int64) {
        guard let first, next > first, !hasProgressed else { return }
        hasProgressed = true
        wasSent = false
    }

    /// What the next commit, of the offset `next`, records.
    mutating func mark(next: Int64) -> StartMark {
        note(next: next)
        isBatchInCommit = isBatchDone
        return StartMark(starts: starts, wasSent: wasSent)
    }

    /// What the last commit records: it ends this start cleanly. If the partition moves before a
    /// record was taken, or while records are taken in batches, the start has shown nothing.
    mutating func lastMark(next: Int64, stops: Bool) -> StartMark {
        note(next: next)
        isCounted = false
        let isClean = stops || hasTaken && batch == nil
        return StartMark(starts: isClean ? 0 : starts, wasSent: wasSent)
    }

    /// Kafka has stored a commit with that mark.
    mutating func stored(_ mark: StartMark) {
        isCountStored = mark.starts > startsBefore
        isSentStored = mark.wasSent
        isBatchCommitted = isBatchInCommit
    }

    /// Something of the partition is about to be in flight.
    mutating func count(now: Instant) {
        isCounted = true
        countEnd = now + Self.maxDelay
    }

    /// Nothing of the partition is in flight any more: an end of the process does not count.
    mutating func stopCounting() { isCounted = false }

    /// The first record is about to be sent.
    mutating func noteSent() { wasSent = true }

    /// True when another record may be taken.
    var hasRoomInBatch: Bool { batch.map { taken < $0 } ?? true }

    private var isBatchDone: Bool { batch.map { done >= $0 } ?? false }

    /// A record is taken.
    mutating func noteTaken() { if batch != nil { taken += 1 } }

    /// A record is done; true when all of its batch are.
    mutating func noteDone() -> Bool {
        done += 1
        return isBatchDone
    }

    /// A batch twice as large begins; true when the partition flows normally from now on.
    mutating func beginBatch() -> Bool {
        guard let last = batch else { return false }
        (taken, done) = (0, 0)
        (isBatchInCommit, isBatchCommitted) = (false, false)
        batch = last * 2 > Self.largestBatch ? nil : last * 2
        return batch == nil
    }

    /// From now on starts are not counted, and records are taken normally.
    mutating func stopWatching() {
        first = nil
        batch = nil
    }
}
