internal import CRDKafka
internal import Delivery

/// What a consumer knows of its partitions; changed by the library's callbacks and by its owner,
/// always on the owner's thread.
///
/// The library stops fetching every partition from the moment when it announces a change until
/// it hears the response, one `rd_kafka_incremental_assign` or `…_unassign` for all of it. The
/// answer may come long after the callback has returned:
/// - to an assignment, when ``ConsumerHelper`` has read what the group had committed;
/// - to a revocation, when the owner has given up the last of its partitions.
@safe struct Assignments {
    /// One partition of this member.
    struct Slot {
        var id: AssignmentID
        var topicPartition: TopicPartition
        /// The offset from which it is read.
        let start: Int64
        /// The offset to be handed over next; what lies below was handed over already.
        var next: Int64
        var isPaused = false
        /// True from the moment when the group asks for it until the owner gives it up.
        var isRevoked = false
        /// Set while the log does not have the offset that is to be read next.
        var fault: Fault?
    }

    /// Why a partition is not read: see ``restart(_:)``.
    struct Fault: Equatable {
        /// The offset that Kafka did not have; nil when it refused none.
        var refused: Int64?
        /// True once the helper was asked where to continue.
        var isAsked = false
        /// True once the library was told to stop reading there.
        var isStopped = false
    }

    /// Where the library says that a record comes from.
    private struct Origin: Hashable {
        /// The address of the library's object, which ``TopicHandles`` keeps alive.
        var topic: UInt
        var partition: Int32
    }

    /// What an error means that follows from what the bridge has set; nil for the others.
    var explain: (rd_kafka_resp_err_t) -> KafkaFailure? = { _ in nil }
    private(set) var client: Client?
    private(set) var helper: ConsumerHelper?
    private(set) var slots: [Slot] = []
    /// What the owner has given up of a revocation that the library still waits for.
    private var givenUp: [Slot] = []
    var changes: [AssignmentChange] = []
    var failures: [KafkaFailure] = []
    private(set) var isClosed = false
    private var isLeaving = false
    private var nextNumber = 0
    /// The assignment for which it is being found out where to begin.
    private(set) var pending: Int?
    /// How far this member had come in the partitions that it had before.
    private var known: [TopicPartition: Int64] = [:]
    private var places: [Origin: Int] = [:]
    private var lastOrigin = Origin(topic: 0, partition: -1)
    private var lastPlace = 0
    private var topics: TopicHandles?

    /// Names the client whose partitions these are.
    mutating func begin(_ client: Client, _ helper: ConsumerHelper) {
        self.client = client
        self.helper = helper
        topics = TopicHandles(client: client)
    }

    // MARK: Records

    /// Where to find the partition of a record that is to be handed over; nil drops the record.
    @inline(__always)
    mutating func place(of message: UnsafeMutablePointer<rd_kafka_message_t>) -> Int? {
        let origin = unsafe Origin(
            topic: UInt(bitPattern: message.pointee.rkt), partition: message.pointee.partition)
        if origin != lastOrigin {
            guard let place = find(origin) else { return nil }
            lastOrigin = origin
            lastPlace = place
        }
        let offset = unsafe message.pointee.offset
        guard !slots[lastPlace].isRevoked, slots[lastPlace].fault == nil,
            offset >= slots[lastPlace].next
        else { return nil }
        slots[lastPlace].next = offset + 1
        return lastPlace
    }

    private mutating func find(_ origin: Origin) -> Int? {
        if let place = places[origin] { return place }
        guard let topic = unsafe OpaquePointer(bitPattern: origin.topic) else { return nil }
        let partition = unsafe TopicPartition(
            topic: String(cString: rd_kafka_topic_name(topic)), partition: origin.partition)
        guard let place = slots.firstIndex(where: { $0.topicPartition == partition }) else {
            return nil
        }
        places[origin] = place
        return place
    }

    /// The partition that an assignment names, as long as it is this member's.
    func slot(_ id: AssignmentID) -> Slot? {
        // Numbers only grow, and slots are appended in their order.
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
        places.removeAll(keepingCapacity: true)
        lastOrigin = Origin(topic: 0, partition: -1)
    }

    // MARK: Failures

    /// Remembers what the library said beside the records.
    mutating func note(_ message: UnsafeMutablePointer<rd_kafka_message_t>) {
        guard unsafe message.pointee.err != RD_KAFKA_RESP_ERR__PARTITION_EOF else { return }
        if unsafe message.pointee.err == RD_KAFKA_RESP_ERR__AUTO_OFFSET_RESET {
            return unsafe refused(message)
        }
        let words = unsafe rd_kafka_message_errstr(message).map { unsafe String(cString: $0) }
        note(unsafe message.pointee.err, words)
    }

    mutating func note(_ error: rd_kafka_resp_err_t, _ words: String?) {
        if let failure = explain(error) { return failures.note(failure) }
        failures.note(client?.failure(error, words) ?? KafkaFailure(error, detail: words))
    }

    // MARK: The group's decisions

    /// The group gave partitions to this member.
    mutating func groupAssigned(_ partitions: [TopicPartition]) {
        pending = nil
        if partitions.isEmpty || isLeaving {
            answer(PartitionList(), RD_KAFKA_RESP_ERR__ASSIGN_PARTITIONS)
        } else {
            for partition in partitions { _ = unsafe topics?.handle(of: partition.topic) }
            let had = known.filter { partitions.contains($0.key) }
            pending = helper?.findPlaces(partitions, known: had)
        }
    }

    /// The group takes partitions back.
    mutating func groupRevoked(_ partitions: [TopicPartition]) {
        // An assignment that was not answered yet gets a response by this.
        pending = nil
        helper?.forgetRequests()
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
            giveUpRevoked { _ in true }
            unassignGivenUp()
            if !lost.isEmpty { changes.append(.lost(lost)) }
        } else if revoking.isEmpty {
            unassignGivenUp()
        } else {
            changes.append(.revoking(revoking))
        }
    }

    /// It is known where to begin in the partitions of an assignment: they may start.
    mutating func startAssigned(_ result: PlacesResult) {
        guard result.number == pending else { return }
        pending = nil
        let list = PartitionList()
        for place in result.places { list.append(place.partition, offset: place.committed) }
        guard answer(list, RD_KAFKA_RESP_ERR__ASSIGN_PARTITIONS) else { return }
        changes.append(.assigned(result.places.map { add($0) }))
        helper?.follow(flowing)
    }

    /// Adds a partition, which is read from its committed offset on.
    mutating func add(_ place: Place) -> AssignedPartition {
        let id = AssignmentID(nextNumber)
        nextNumber += 1
        known[place.partition] = place.committed
        slots.append(
            Slot(
                id: id, topicPartition: place.partition, start: place.committed,
                next: place.committed))
        return AssignedPartition(
            id: id, topicPartition: place.partition, committed: place.committed,
            metadata: place.metadata, reset: place.reset)
    }

    // MARK: The owner's decisions

    /// Marks partitions as given up, and returns the library when none is left to wait for.
    mutating func giveUp(_ assignments: [AssignmentID]) {
        let given = Set(assignments)
        giveUpRevoked { given.contains($0) }
        guard !givenUp.isEmpty, !slots.contains(where: \.isRevoked) else { return }
        unassignGivenUp()
    }

    /// True while the library waits for the end of a revocation.
    var isRevoking: Bool { !givenUp.isEmpty || slots.contains(where: \.isRevoked) }

    private mutating func giveUpRevoked(_ isGiven: (AssignmentID) -> Bool) {
        for slot in slots where slot.isRevoked && isGiven(slot.id) { givenUp.append(slot) }
        change { slots in slots.removeAll { $0.isRevoked && isGiven($0.id) } }
    }

    private mutating func unassignGivenUp() {
        let list = PartitionList()
        let paused = PartitionList()
        for slot in givenUp {
            known[slot.topicPartition] = slot.next
            if slot.fault?.isStopped != true { list.append(slot.topicPartition) }
            if slot.isPaused { paused.append(slot.topicPartition) }
        }
        // The library remembers a pause beyond the assignment.
        resumeInLibrary(paused)
        givenUp = []
        answer(list, RD_KAFKA_RESP_ERR__REVOKE_PARTITIONS)
    }

    mutating func pause(_ assignments: [AssignmentID]) {
        let list = mark(assignments, paused: true)
        guard list.count > 0, let client else { return }
        unsafe rd_kafka_pause_partitions(client.pointer, list.pointer)
        helper?.follow(flowing)
    }

    mutating func resume(_ assignments: [AssignmentID]) {
        if resumeInLibrary(mark(assignments, paused: false)) { wakeFetcher() }
    }

    /// Ends the library's pause of partitions; false when there are none.
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

    // MARK: Answers to the library

    /// Answers a change of the assignment, which lets the partitions that stay flow again.
    @discardableResult
    mutating func answer(
        _ list: borrowing PartitionList, _ kind: rd_kafka_resp_err_t
    ) -> Bool {
        guard let client else { return false }
        let error =
            kind == RD_KAFKA_RESP_ERR__ASSIGN_PARTITIONS
            ? unsafe rd_kafka_incremental_assign(client.pointer, list.pointer)
            : unsafe rd_kafka_incremental_unassign(client.pointer, list.pointer)
        if let error = unsafe error {
            failures.note(unsafe KafkaFailure(consuming: error))
            return false
        }
        if Self.losesPurgedRecords { rereadPurged(client) }
        wakeFetcher()
        return true
    }

    /// The partitions from which records may come, each with the offset to be read next.
    var flowing: [Flowing] {
        slots.filter { !$0.isRevoked && !$0.isPaused }
            .map { Flowing(partition: $0.topicPartition, next: $0.next) }
    }

    private func wakeFetcher() { helper?.wakeFetcher(flowing) }

    // MARK: The end

    /// Returns what the library waits for, so that it can leave the group.
    mutating func prepareToLeave() {
        isLeaving = true
        if pending != nil {
            pending = nil
            answer(PartitionList(), RD_KAFKA_RESP_ERR__ASSIGN_PARTITIONS)
        }
        giveUp(slots.map(\.id))
    }

    /// Forgets everything: the member is gone.
    mutating func left() {
        isClosed = true
        change { $0.removeAll() }
        givenUp = []
        changes.removeAll()
        topics = nil
        client = nil
        helper = nil
    }
}
