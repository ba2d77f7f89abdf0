import BridgeSamples
import BridgeTesting
import Configuration
import Delivery
import Encoding
import Engine

@testable import Bridge

/// Checks what must never happen, and what must have happened in the end.
final class Oracle {
    struct Position: Hashable {
        var partition: Int32
        var offset: Int64
    }

    /// An acknowledged outcome.
    struct Outcome {
        var text: String
        /// What Kafka must have acknowledged along with it: an unregistered token or a dead letter.
        var companion: String?

        /// True for a record that was not mapped, since it crashed the worker.
        var endsRecord: Bool { CrashCheck.isEnd(text) }
    }

    /// When the push of a record may no longer be sent, as outcomes write it.
    private var deadlines: [Position: String] = [:]
    /// The pushes of each record that Kafka has in the retry topic, and after how many attempts.
    private var retries: [Position: [String: Int]] = [:]
    /// How many pushes a record asks for; 1 by default.
    private var expected: [Position: Int] = [:]
    /// The acknowledged outcomes of each record, by their `apns-id`.
    private(set) var outcomes: [Position: [String: [Outcome]]] = [:]
    /// What Kafka has acknowledged besides outcomes, by the partition of the record.
    private var companions: [Int32: Set<String>] = [:]
    /// What results say about devices that APNs has reported as unregistered.
    var devices = UnregisteredDeviceCheck()
    /// The records that need not be read again: what is acknowledged stays acknowledged.
    private var safe: Set<Position> = []
    /// What was read before a partition was assigned last: it may be read, and pushed, again.
    private var readBefore: [Int32: Int64] = [:]
    /// What the group had committed for a partition when it was assigned last, and when that was.
    private(set) var assigned:
        [Int32: (completed: CompletedOffsets, next: Int64, at: String)] = [:]
    private var order: OrderCheck
    private(set) var crashes: CrashCheck
    var trials = TrialCheck()
    var retryLogs = RetryLogs()
    var forgedRetries = ForgedRetryCheck()
    let topic: SeededTopic
    let settings: EngineSettings
    private var idleTurns = 0
    /// True when every deadline can be met: then no record is released half reported.
    var isFairWeather = false
    /// True once the clock on the wall was set: from then on times prove nothing.
    var hasClockJumped = false
    /// By how many milliseconds that clock is ahead, while nobody vouches for it.
    var doubtfulLead: Int64?
    /// True when the broker may refuse metadata that the connector has room for.
    var refusesMetadata = false
    /// The most metadata that a member may use after the broker has refused more.
    var metadataLeft: [Int: Int] = [:]
    /// The partitions that two members have read at the same time.
    private(set) var sharedPartitions: Set<Int32> = []
    /// The partitions whose log was replaced.
    private(set) var replaced: Set<Int32> = []
    /// When each partition was assigned, in milliseconds since 1970.
    private(set) var assignments: [Int32: [Int64]] = [:]
    /// What went wrong; empty in a correct run.
    private(set) var mistakes: [String] = []

    init(topic: SeededTopic, results: ResultLog, settings: EngineSettings) {
        self.topic = topic
        self.settings = settings
        order = OrderCheck(settings.ordering)
        crashes = CrashCheck(firstCount: topic.firstCount)
        results.onAcknowledged = { [unowned self] in note($0) }
        topic.onCommit = { [unowned self] in check($0) }
        topic.onReport = { [unowned self] in note($1, of: $0) }
        topic.onAssigned = { [unowned self] in
            for partition in $0 { beginAssignment(of: partition) }
        }
        topic.onGivenUp = { [weak self] in self?.check(givenUp: $0) }
    }

    /// A member that was considered dead keeps pushing: what it does is done again elsewhere.
    func allowTwoOwners(of partitions: [Int32]) { sharedPartitions.formUnion(partitions) }

    /// The log of a partition is replaced: its offsets will stand for other records.
    func forget(_ partition: Int32) {
        for entry in topic.partitions[Int(partition)]
        where !isSafe(entry, partition) && !forgedRetries.isForged(partition, entry.offset) {
            retryLogs.noteGone(entry.headers)
        }
        forgedRetries.forget(partition)
        retryLogs.forget(partition)
        companions[partition] = nil
        forget(partition, from: 0)
    }

    /// A log loses its end: these offsets will stand for other records.
    func forget(_ partition: Int32, from offset: Int64) {
        let isGone = { (one: Position) in one.partition == partition && one.offset >= offset }
        replaced.insert(partition)
        expected = expected.filter { !isGone($0.key) }
        deadlines = deadlines.filter { !isGone($0.key) }
        outcomes = outcomes.filter { !isGone($0.key) }
        retries = retries.filter { !isGone($0.key) }
        safe = safe.filter { !isGone($0) }
        order.forget(partition, from: offset)
    }

    /// What a group passes over: it comes before its beginning, or a set clock makes it too early.
    private func excuseUnread(_ partition: Int32, below next: Int64) {
        guard topic.startsAtEnd && assignments[partition] == nil
            || hasClockJumped && replaced.contains(partition)
        else { return }
        for entry in topic.partitions[Int(partition)] where entry.offset < next {
            if !isSafe(entry, partition) {
                expected[Position(partition: partition, offset: entry.offset)] = 0
            }
        }
    }

    private func beginAssignment(of partition: Int32) {
        readBefore[partition] = topic.handedOver[partition]
        let committed = topic.committed[partition]
        let next = committed?.next ?? 0
        excuseUnread(partition, below: next)
        retryLogs.read(partition, from: next)
        let completed = CompletedOffsets(text: committed?.metadata ?? "", from: next)
        let entries = topic.entries(partition, from: next)
        crashes.assigned(
            partition, committed?.metadata ?? "",
            first: entries.first { !completed.contains($0.offset) }?.offset)
        trials.assigned(partition, topic)
        let now = Timestamp.text(milliseconds: topic.clock.wallClock)
        assigned[partition] = (completed, next, now)
        order.assigned(partition, at: now)
        assignments[partition, default: []].append(topic.clock.wallClock)
    }

    /// The times of an outcome follow each other, also after a restart or the retry topic.
    private func checkTimes(of outcome: String) {
        func time(_ field: StaticString) -> Substring {
            outcome.components(after: field)?.quoted ?? ""
        }
        let (first, sent) = (time(#""first_sent_at":""#), time(#""sent_at":""#))
        let (responded, decided) = (time(#""answered_at":""#), time(#""decided_at":""#))
        let isOrdered = first <= sent && sent <= decided && responded <= decided
        if !isOrdered && !hasClockJumped || first.isEmpty != sent.isEmpty || decided.isEmpty {
            fail("the times of an outcome contradict each other: \(outcome)")
        }
    }

    /// Declares that a record asks for so many pushes.
    func expect(_ count: Int, partition: Int32, offset: Int64, until deadline: Int64? = nil) {
        deadlines[Position(partition: partition, offset: offset)] = deadline.map {
            Timestamp.text(milliseconds: $0 * 1000)
        }
        expected[Position(partition: partition, offset: offset)] = count
    }

    func fail(_ message: String) {
        if mistakes.count < 10 { mistakes.append(message) }
    }

    // MARK: After every turn

    func check(inFlight: Int, waiting: Int) {
        if inFlight > settings.maxInFlight { fail("\(inFlight) records are in flight") }
        if waiting > settings.maxWaiting { fail("\(waiting) records wait outside the window") }
    }

    /// Checks the totals of workers that have ended.
    func check(left: Int) {
        if left < 0 { fail("\(-left) more pushes have an outcome than were made") }
    }

    /// A worker waits for nothing longer than until its next retry is due. A kernel counts the
    /// time in whole milliseconds.
    func check(due: Instant, at now: Instant) {
        guard now > due + .milliseconds(1) else { return }
        fail("a worker slept until \(now), though a retry was due at \(due)")
    }

    func check(hasMoved: Bool) {
        idleTurns = hasMoved ? 0 : idleTurns + 1
        if idleTurns > 500 { fail("the worker is in a busy loop: time stands still") }
        for violation in topic.violations { fail(violation) }
    }

    private func note(_ record: ResultRecord) {
        switch record.topic {
        case settings.results.outcomes:
            let value = String(decoding: record.value ?? [], as: UTF8.self)
            guard let position = Self.position(in: value) else {
                return fail("an outcome without a position: \(value)")
            }
            if noteForged(value, position) { return }
            devices.note(outcome: value)
            if isPast(value, at: position) { return }
            check(value, at: position)
            checkTimes(of: value)
            checkExpiry(of: value, at: position, deadline: deadlines[position])
            crashes.note(value, position.partition, position.offset).map { fail($0) }
            guard let id = value.components(after: #""apns_id":""#)?.quoted else {
                return fail("an outcome without an apns-id: \(value)")
            }
            checkRepeat(value, at: position, retryLogs[RetryLogs.Push(position, String(id))])
            let entry = topic.entries(position.partition, from: position.offset).first
            let key = entry?.offset == position.offset ? entry?.key : nil
            order.note(value, position.partition, position.offset, key: key)
            if !isName(id, in: value, of: position) { fail("\(position) was sent as \(id)") }
            outcomes[position, default: [:]][String(id), default: []]
                .append(Outcome(text: value, companion: Self.companion(of: value, String(id))))
            if idsOfPushes(position).count > expected[position] ?? 1 {
                fail("the outcomes of \(position) carry different apns-ids")
            }
        case settings.results.unregistered:
            let value = String(decoding: record.value ?? [], as: UTF8.self)
            guard let position = Self.position(in: value) else {
                return fail("an unregistered record without a position: \(value)")
            }
            noteCompanion("U" + Self.header("ce_id", record.headers), of: position)
            devices.note(record: value)
        case settings.results.retry:
            guard let (position, id, attempts) = Self.retry(record.headers) else {
                return fail("a retry without a position")
            }
            if isPast(Self.retryTime(record.headers), at: position) { return }
            retryLogs.noteAcknowledged(position)
            let known = retries[position]?[id] ?? 0
            retries[position, default: [:]][id] = max(known, attempts)
        default: noteDeadLetter(record.headers)
        }
    }

    func noteCompanion(_ name: String, of position: Position) {
        companions[position.partition, default: []].insert(name)
    }

    /// True for the apns-id of a push of the record, which depends on its position and index alone.
    private func isName(_ id: Substring, in outcome: String, of position: Position) -> Bool {
        let digits = outcome.components(after: #","index":"#)?.digits
        guard let index = digits.flatMap({ Int($0) }) else { return false }
        let name = NotificationName(
            clusterID: settings.clusterID, group: settings.group,
            topicPartition: TopicPartition(topic: topic.name, partition: position.partition))
        let expected = name.identifier(offset: position.offset, index: index)
        return expected == NotificationID(Array(id.utf8))
    }

    /// Nothing is sent past its deadline.
    private func check(_ outcome: String, at position: Position) {
        guard let deadline = deadlines[position],
            let sent = outcome.components(after: #""sent_at":""#)?.quoted
        else { return }
        if sent >= deadline { fail("\(position) was sent at \(sent), after \(deadline)") }
    }

    private func check(_ commit: SeededTopic.Commit) {
        checkLength(of: commit)
        let done = CompletedOffsets(text: commit.position.metadata, from: commit.position.next)
        // The start of a partition commits its position again, even if its log was replaced.
        let isRepeated = commit.position.next == topic.committed[commit.partition]?.next
        if isRepeated, done.ranges.isEmpty { return }
        checkStarts(commit)
        for entry in topic.partitions[Int(commit.partition)] {
            let isCovered = entry.offset < commit.position.next || done.contains(entry.offset)
            if isCovered, !isSafe(entry, commit.partition) {
                fail("\(commit) covers \(entry.offset), which has not all of its outcomes")
            }
            // Without room in the metadata, only the committed offset shows what is done.
            let mayLack = refusesMetadata && entry.offset > commit.position.next
            if !isCovered, !mayLack, mustCover(entry, commit.partition) {
                fail("\(commit) does not cover \(entry.offset), which a restart would repeat")
            }
        }
    }

    /// Progress ends the count, but for the third, which asks for a single record.
    private func checkStarts(_ commit: SeededTopic.Commit) {
        let starts = StartMark(metadata: commit.position.metadata).starts
        guard starts > 0, !sharedPartitions.contains(commit.partition) else { return }
        let first = assigned[commit.partition]?.next ?? 0
        if commit.position.next > first && starts != 3 || isFairWeather && starts > 1 {
            fail("\(commit) counts \(starts) starts, and was at \(first) before this one")
        }
    }

    /// True when a record was first read in the current assignment of its partition, and is done:
    /// the next commit covers it, so that no one repeats it.
    private func mustCover(_ entry: SeededTopic.Entry, _ partition: Int32) -> Bool {
        let position = Position(partition: partition, offset: entry.offset)
        // A record of the retry topic may be reported before its writer learns that it is stored.
        // What commits said of a log that was replaced takes some of the room in the next ones.
        return !replaced.contains(partition) && Int(partition) < topic.firstCount
            && retryLogs.areReported(position) && !sharedPartitions.contains(partition)
            && entry.offset > readBefore[partition] ?? -1 && expected[position] ?? 1 > 0
            && isSafe(entry, partition)
    }

    /// If some pushes of a released record were done, its next reader would send those twice.
    private func check(givenUp partitions: [Int32]) {
        guard isFairWeather else { return }
        for (position, known) in outcomes where partitions.contains(position.partition) {
            let ids = Set(known.keys).union((retries[position] ?? [:]).keys)
            if ids.count < expected[position] ?? 1 { fail("\(position) is released half reported") }
        }
    }

    private func isSafe(_ entry: SeededTopic.Entry, _ partition: Int32) -> Bool {
        let position = Position(partition: partition, offset: entry.offset)
        if safe.contains(position) || retryLogs.mayMiss(position) { return true }
        guard isSafeNow(entry, position) else { return false }
        safe.insert(position)
        return true
    }

    /// True when a record need not be read again.
    private func isSafeNow(_ entry: SeededTopic.Entry, _ position: Position) -> Bool {
        guard Int(position.partition) >= topic.firstCount else {
            let known = outcomes[position] ?? [:]
            let ids = Set(known.keys).union((retries[position] ?? [:]).keys)
            return isEnded(position) || ids.count == expected[position] ?? 1
                && known.allSatisfy { id, values in
                    values.contains { isComplete($0, at: position) }
                        || retries[position]?[id] != nil
                }
        }
        if forgedRetries.isForged(position.partition, position.offset) {
            return forgedRetries.isDone(position.partition, position.offset)
        }
        guard let (position, id, attempts) = Self.retry(entry.headers) else { return false }
        if isPast(Self.retryTime(entry.headers), at: position) { return true }
        let isReported = outcomes[position]?[id]?.contains { isComplete($0, at: position) } ?? false
        return isReported || retries[position]?[id] ?? 0 > attempts
    }

    /// The pushes of a record that have outcomes: what ends a record as a whole is not one.
    private func idsOfPushes(_ position: Position) -> [String] {
        (outcomes[position] ?? [:]).filter { !$0.value.allSatisfy(\.endsRecord) }.map(\.key)
    }

    /// True when Kafka has acknowledged that a record crashed the worker, with all that belongs.
    /// A record of the retry topic that does so ends one push of its event alone.
    private func isEnded(_ position: Position) -> Bool {
        guard crashes.mayEnd(position.partition, position.offset) else { return false }
        return (outcomes[position] ?? [:]).values.contains { known in
            known.contains { $0.endsRecord && isComplete($0, at: position) }
        }
    }

    /// True when Kafka has acknowledged an outcome of each push, with all that belongs to it.
    private func isReported(_ position: Position) -> Bool {
        let known = outcomes[position] ?? [:]
        let gone = retryLogs.gone(of: position)
        return isEnded(position) || gone.union(known.keys).count == expected[position] ?? 1
            && known.allSatisfy { id, values in
                gone.contains(id) || values.contains { isComplete($0, at: position) }
            }
    }

    private func isComplete(_ outcome: Outcome, at position: Position) -> Bool {
        outcome.companion.map { companions[position.partition]?.contains($0) ?? false } ?? true
    }

    // MARK: At the end

    /// How many outcomes were acknowledged in all, and how many beyond one for each push.
    var totals: (outcomes: Int, duplicates: Int) {
        let counts = outcomes.values.flatMap { $0.values.map(\.count) }
        return (counts.reduce(0, +), counts.reduce(0) { $0 + $1 - 1 })
    }

    /// The outcomes of a record, in the order of their acknowledgement.
    func outcomes(partition: Int32 = 0, offset: Int64) -> [String] {
        (outcomes[Position(partition: partition, offset: offset)] ?? [:]).values
            .flatMap { $0.map(\.text) }
    }

    /// Every record has its outcomes, and no device was taken for unregistered that is not.
    func checkEnd() {
        let owed = devices.mistakes(afterReplacedLogs: !replaced.isEmpty) {
            topic.range(of: $0.partition).low > $0.offset
        }
        for mistake in owed + forgedRetries.unreported { fail(mistake) }
        if !hasClockJumped {
            for mistake in order.mistakes(without: sharedPartitions) { fail(mistake) }
        }
        for partition in 0..<topic.firstCount {
            for entry in topic.partitions[partition] {
                let position = Position(partition: Int32(partition), offset: entry.offset)
                if !isReported(position) { fail("\(position) has not all of its outcomes") }
            }
        }
    }
}
