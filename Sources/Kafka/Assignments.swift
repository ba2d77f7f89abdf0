internal import CRDKafka
internal import Delivery

/// A consumer's view of its partitions; changed by the library's callbacks and by its owner, always
/// on the owner's thread.
///
/// From the moment the library announces a change until it receives the response, it fetches no
/// partition at all. The reply is a single `rd_kafka_incremental_assign` or `…_unassign` for all
/// of them, and may come long after the callback has returned:
/// - to an assignment, when ``ConsumerHelper`` has read the group's committed offsets;
/// - to a revocation, when the owner has given up the last revoked partition.
@safe struct Assignments {
    /// One partition of this member.
    struct Slot {
        var id: AssignmentID
        var topicPartition: TopicPartition
        /// The offset at which reading starts.
        let start: Int64
        /// The next offset to hand over; all lower offsets have been handed over.
        var next: Int64
        var isPaused = false
        /// True from the moment the group revokes it until the owner gives it up.
        var isRevoked = false
        /// Set while the log does not have the next offset to read.
        var fault: Fault?
        /// When the log had no more records; nil unless all of them were handed over.
        var endedAt: Instant?
    }

    /// Why a partition is not being read: see ``restart(_:)``.
    struct Fault: Equatable {
        /// The offset that Kafka did not have; nil when no offset was refused.
        var refused: Int64?
        /// True once the helper has been asked where to continue.
        var isAsked = false
        /// True once the library has been asked to stop reading it.
        var isStopped = false
    }

    /// Where the library reports that a record comes from.
    private struct Origin: Hashable {
        /// The address of the library's object, which ``TopicHandles`` keeps alive.
        var topic: UInt
        var partition: Int32
    }

    /// Explains an error caused by a property that the bridge set; nil for other errors.
    var explain: (rd_kafka_resp_err_t) -> KafkaFailure? = { _ in nil }
    private(set) var client: Client?
    private(set) var helper: ConsumerHelper?
    var outages: OutageWatch?
    private(set) var slots: [Slot] = []
    /// The part of a pending revocation that the owner has already given up.
    private var givenUp: [Slot] = []
    var changes: [AssignmentChange] = []
    var failures: [KafkaFailure] = []
    private(set) var isClosed = false
    /// What the library last said about a connection that failed.
    var lastConnectionFailure = ""
    private var isLeaving = false
    private var nextNumber = 0
    /// The number of the assignment whose start offsets are being looked up.
    private(set) var pending: Int?
    /// Where to continue in partitions whose log was replaced, once the group is not changing.
    var restarts: [RestartResult] = []
    /// What this member knows of the partitions that it owns, and of those it owned before.
    var known: [TopicPartition: KnownPartition] = [:]
    private var partitionStarts: [Origin: Int] = [:]
    private var lastOrigin = Origin(topic: 0, partition: -1)
    private var lastSlot = 0
    private(set) var topics: TopicHandles?
    /// When the library's queue was empty.
    var logEnds = LogEnds()

    /// Sets the client that owns these partitions.
    mutating func begin(_ client: Client, _ helper: ConsumerHelper, _ outages: OutageWatch) {
        self.client = client
        self.helper = helper
        self.outages = outages
        topics = TopicHandles(client: client)
    }

    // MARK: Records

    /// The slot of the partition of a record about to be handed over; nil drops the record.
    mutating func partitionStart(of message: UnsafeMutablePointer<rd_kafka_message_t>) -> Int? {
        guard let partitionStart = unsafe slot(of: message) else { return nil }
        let offset = unsafe message.pointee.offset
        guard !slots[partitionStart].isRevoked, slots[partitionStart].fault == nil,
            offset >= slots[partitionStart].next
        else { return nil }
        slots[partitionStart].next = offset + 1
        return partitionStart
    }

    /// The slot of the partition that a message is about; nil when it is not assigned.
    mutating func slot(of message: UnsafeMutablePointer<rd_kafka_message_t>) -> Int? {
        let origin = unsafe Origin(
            topic: UInt(bitPattern: message.pointee.rkt), partition: message.pointee.partition)
        guard origin != lastOrigin else { return lastSlot }
        guard let partitionStart = find(origin) else { return nil }
        (lastOrigin, lastSlot) = (origin, partitionStart)
        return partitionStart
    }

    /// Sets when the log of a slot had no more records.
    mutating func setEnd(at index: Int, _ moment: Instant?) { slots[index].endedAt = moment }

    private mutating func find(_ origin: Origin) -> Int? {
        if let partitionStart = partitionStarts[origin] { return partitionStart }
        guard let topic = unsafe OpaquePointer(bitPattern: origin.topic) else { return nil }
        let partition = unsafe TopicPartition(
            topic: String(cString: rd_kafka_topic_name(topic)), partition: origin.partition)
        guard let partitionStart = slots.firstIndex(where: { $0.topicPartition == partition })
        else {
            return nil
        }
        partitionStarts[origin] = partitionStart
        return partitionStart
    }

    /// The slot of an assignment; nil when this member no longer owns it.
    func slot(_ id: AssignmentID) -> Slot? {
        // IDs only grow, and slots are appended in order.
        var low = 0
        var high = slots.count
        while low < high {
            let middle = (low + high) / 2
            if slots[middle].id.number < id.number { low = middle + 1 } else { high = middle }
        }
        return low < slots.count && slots[low].id == id ? slots[low] : nil
    }

    mutating func change(_ body: (inout [Slot]) -> Void) {
        body(&slots)
        partitionStarts.removeAll(keepingCapacity: true)
        lastOrigin = Origin(topic: 0, partition: -1)
    }

    // MARK: The group's decisions

    /// The group assigned partitions to this member.
    mutating func groupAssigned(_ partitions: [TopicPartition]) {
        pending = nil
        helper?.noteAssigned(partitions)
        if partitions.isEmpty, !isLeaving { helper?.checkMembership() }
        if partitions.isEmpty || isLeaving {
            reply(PartitionList(), RD_KAFKA_RESP_ERR__ASSIGN_PARTITIONS)
            if !isLeaving { changes.append(.assigned([])) }
        } else {
            for partition in partitions { _ = unsafe topics?.handle(of: partition.topic) }
            let had = known.filter { partitions.contains($0.key) }
            pending = helper?.findStartOffsets(partitions, known: had)
        }
    }

    /// The group revokes partitions.
    mutating func groupRevoked(_ partitions: [TopicPartition]) {
        // This also responds to a pending assignment.
        pending = nil
        helper?.forgetRequests()
        restarts = []
        let revoked = Set(partitions)
        let isLost = client.map { unsafe rd_kafka_assignment_lost($0.pointer) != 0 } ?? true
        change { slots in
            for index in slots.indices {
                slots[index].fault?.isAsked = false
                guard revoked.contains(slots[index].topicPartition) else { continue }
                slots[index].isRevoked = true
            }
        }
        let revoking = slots.filter(\.isRevoked).map(\.id)
        if isLost || isLeaving {
            let lost = givenUp.map(\.id) + revoking
            releaseRevoked { _ in true }
            unassignGivenUp()
            if !lost.isEmpty { changes.append(.lost(lost)) }
        } else if revoking.isEmpty {
            unassignGivenUp()
        } else {
            changes.append(.revoking(revoking))
        }
    }

    /// The start offsets of an assignment are known: its partitions may start.
    mutating func startAssigned(_ result: StartOffsetsResult) {
        guard result.number == pending else { return }
        pending = nil
        let list = PartitionList()
        for partitionStart in result.partitionStarts {
            list.append(partitionStart.partition, offset: partitionStart.committed)
        }
        guard reply(list, RD_KAFKA_RESP_ERR__ASSIGN_PARTITIONS) else { return }
        for partitionStart in result.partitionStarts { helper?.noteRead(partitionStart) }
        changes.append(.assigned(result.partitionStarts.map { add($0) }))
        forgetFormer()
        helper?.checkMembership()
        // Again, with the new ones: what the log of a partition looks like is known from its start.
        wakeFetcher()
    }

    /// Adds a partition, to be read from its committed offset.
    mutating func add(_ partitionStart: PartitionStart) -> AssignedPartition {
        let id = AssignmentID(nextNumber)
        nextNumber += 1
        let isOwn =
            partitionStart.reset == nil
            && known[partitionStart.partition]?.commits.mayBeOurs(
                partitionStart.committed, partitionStart.metadata) ?? false
        known[partitionStart.partition] = KnownPartition(partitionStart)
        slots.append(
            Slot(
                id: id, topicPartition: partitionStart.partition, start: partitionStart.committed,
                next: partitionStart.committed))
        var assigned = AssignedPartition(
            id: id, topicPartition: partitionStart.partition, committed: partitionStart.committed,
            metadata: partitionStart.metadata, reset: partitionStart.reset)
        assigned.partitionCount = partitionStart.partitionCount
        assigned.isAdded = partitionStart.isAdded
        assigned.isOwn = isOwn
        return assigned
    }

    // MARK: The owner's decisions

    /// The owner commits an offset of a partition.
    mutating func willCommit(_ partition: TopicPartition, _ commit: OffsetCommit) {
        known[partition]?.commits.willCommit(commit)
    }

    /// What this member knows of a partition.
    func known(_ partition: TopicPartition) -> KnownPartition? { known[partition] }

    /// Kafka has stored commits.
    mutating func didCommit(_ commits: [OffsetCommit]) {
        for commit in commits {
            guard let slot = slot(commit.assignment) else { continue }
            known[slot.topicPartition]?.commits.didCommit(commit)
        }
    }

    /// Marks partitions as given up; responds to the library once none remains to wait for.
    mutating func release(_ assignments: [AssignmentID]) {
        let given = Set(assignments)
        releaseRevoked { given.contains($0) }
        guard !givenUp.isEmpty, !slots.contains(where: \.isRevoked) else { return }
        unassignGivenUp()
    }

    /// True while the library waits for a revocation to complete.
    var isRevoking: Bool { !givenUp.isEmpty || slots.contains(where: \.isRevoked) }

    private mutating func releaseRevoked(_ isGiven: (AssignmentID) -> Bool) {
        for slot in slots where slot.isRevoked && isGiven(slot.id) { givenUp.append(slot) }
        change { slots in slots.removeAll { $0.isRevoked && isGiven($0.id) } }
    }

    private mutating func unassignGivenUp() {
        let list = PartitionList()
        let paused = PartitionList()
        for slot in givenUp {
            known[slot.topicPartition]?.next = slot.next
            if slot.fault?.isStopped != true { list.append(slot.topicPartition) }
            if slot.isPaused { paused.append(slot.topicPartition) }
        }
        // The library keeps a partition paused even after it leaves the assignment.
        resumeInLibrary(paused)
        givenUp = []
        reply(list, RD_KAFKA_RESP_ERR__REVOKE_PARTITIONS)
    }

    mutating func pause(_ assignments: [AssignmentID]) {
        let list = mark(assignments, paused: true)
        guard list.count > 0, let client else { return }
        unsafe rd_kafka_pause_partitions(client.pointer, list.pointer)
        follow()
    }

    mutating func resume(_ assignments: [AssignmentID]) {
        if resumeInLibrary(mark(assignments, paused: false)) { wakeFetcher() }
    }

    /// Resumes partitions in the library; false for an empty list.
    @discardableResult
    func resumeInLibrary(_ list: borrowing PartitionList) -> Bool {
        guard list.count > 0, let client else { return false }
        unsafe rd_kafka_resume_partitions(client.pointer, list.pointer)
        return true
    }

    private mutating func mark(_ assignments: [AssignmentID], paused: Bool) -> PartitionList {
        let list = PartitionList()
        let named = Set(assignments)
        for index in slots.indices
        where named.contains(slots[index].id) && slots[index].isPaused != paused {
            slots[index].isPaused = paused
            list.append(slots[index].topicPartition)
        }
        return list
    }

    // MARK: Responses to the library

    /// Responds to an assignment change, after which the remaining partitions flow again.
    ///
    /// The group does not repeat a change: unless `isRepeated`, a response that the library refuses
    /// would leave its partitions without a reader, and so it ends the worker, which joins again.
    @discardableResult
    mutating func reply(
        _ list: borrowing PartitionList, _ kind: rd_kafka_resp_err_t, isRepeated: Bool = false
    ) -> Bool {
        guard let client else { return false }
        let error =
            kind == RD_KAFKA_RESP_ERR__ASSIGN_PARTITIONS
            ? unsafe rd_kafka_incremental_assign(client.pointer, list.pointer)
            : unsafe rd_kafka_incremental_unassign(client.pointer, list.pointer)
        if let error = unsafe error {
            var failure = unsafe KafkaFailure(consuming: error, "follow the group's assignment")
            failure.isFatal = failure.isFatal || !isRepeated
            failures.note(failure)
            return false
        }
        if Self.losesPurgedRecords { rereadPurged(client) }
        wakeFetcher()
        return true
    }

    /// The partitions that records may come from, each with the next offset to read.
    var flowing: [Flowing] { positions { !$0.isPaused } }

    /// The partitions that are paused, each with the next offset to read.
    private var paused: [Flowing] { positions { $0.isPaused && $0.fault == nil } }

    private func positions(where isWanted: (Slot) -> Bool) -> [Flowing] {
        slots.filter { !$0.isRevoked && isWanted($0) }
            .map { Flowing(partition: $0.topicPartition, next: $0.next) }
    }

    /// Notifies the helper which partitions flow, and which are paused.
    func follow() { helper?.follow(flowing, paused: paused) }

    private func wakeFetcher() { helper?.wakeFetcher(flowing, paused: paused) }

    // MARK: Closing

    /// Sends any response that the library waits for, so that it can leave the group.
    mutating func prepareToLeave() {
        isLeaving = true
        if pending != nil {
            pending = nil
            reply(PartitionList(), RD_KAFKA_RESP_ERR__ASSIGN_PARTITIONS)
        }
        release(slots.map(\.id))
    }

    /// Clears everything: the member has left the group.
    mutating func left() {
        isClosed = true
        change { $0.removeAll() }
        givenUp = []
        changes.removeAll()
        topics = nil
        client = nil
        helper = nil
        outages = nil
    }
}

/// Keeps ``Assignments`` at a stable address that can be passed to the library's callbacks.
@safe final class AssignmentsOwner {
    let pointer: UnsafeMutablePointer<Assignments>

    init() {
        unsafe pointer = .allocate(capacity: 1)
        unsafe pointer.initialize(to: Assignments())
    }

    deinit { unsafe pointer.deinitialize(count: 1).deallocate() }
}
