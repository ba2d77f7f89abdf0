internal import CRDKafka
public import Delivery

/// One member of a consumer group, driven by its owner.
///
/// The owner watches ``descriptor`` and calls ``take(atMost:_:)`` at least once a second. The owner
/// alone decides about offsets: none is stored or committed implicitly. Every ``Record`` must be
/// released before ``close()``.
@safe public struct Consumer: RecordSource, ~Copyable {
    /// Readable when there may be records or events to take.
    public var descriptor: Int32 { signal.number }

    let client: Client
    private let signal: EventDescriptor
    let helper: ConsumerHelper
    private let outages: OutageWatch
    let owner: AssignmentsOwner
    let state: UnsafeMutablePointer<Assignments>
    private let queue: OpaquePointer
    private let commits: CommitQueue
    private var phase = GroupPhase()
    private var logs: [KafkaLog] = []
    /// False when the descriptor is watched edge-triggered, as `LinuxKernel` does: each signal
    /// then wakes the owner whether earlier ones were cleared or not, for one system call less.
    /// Not the first property: Swift 6.3 then cannot compile this for ThreadSanitizer.
    public var clearsDescriptor = true
    private let wantsDebug: Bool
    /// Records that were fetched and not handed over, as places in `batch`.
    private var held = 0..<0
    private let batch: UnsafeMutableBufferPointer<UnsafeMutablePointer<rd_kafka_message_t>?>

    /// Joins a group; `instance` is the group instance ID for static membership. The topics
    /// `alwaysFromBeginning` are read from their beginning even by a new group, and so is a topic
    /// that matches a pattern and appears once the group has offsets in another such topic.
    public init(
        properties: KafkaProperties, group: String, topics: TopicSelection, start: StartPosition,
        alwaysFromBeginning: [String] = [], instance: String? = nil
    ) throws(KafkaFailure) {
        try self.init(
            properties: properties, group: group, topics: topics, start: start,
            alwaysFromBeginning: alwaysFromBeginning, instance: instance, stallLimit: 60_000)
    }

    /// The same, with the time in milliseconds after which a partition or commit counts as stalled.
    init(
        properties: KafkaProperties, group: String, topics: TopicSelection, start: StartPosition,
        alwaysFromBeginning: [String], instance: String?, stallLimit: Int
    ) throws(KafkaFailure) {
        let operation = "join group \(group)"
        let configuration = try ClientConfiguration.consumer(
            properties, group: group, instance: instance, topics: topics)
        let owner = AssignmentsOwner()
        unsafe rd_kafka_conf_set_opaque(configuration.pointer, owner.pointer)
        unsafe rd_kafka_conf_set_rebalance_cb(configuration.pointer, rebalanced)
        unsafe rd_kafka_conf_set_error_cb(configuration.pointer, reportedError)
        let signal = try EventDescriptor(operation)
        let client = try Client(
            RD_KAFKA_CONSUMER, configuration, operation, tokens: properties.tokens)
        let helper = try ConsumerHelper(
            client: client, owner: signal, start: start, topics: topics,
            alwaysFromBeginning: alwaysFromBeginning, stallLimit: stallLimit,
            membership: instance == nil || !properties.usesClassicGroups ? nil : group)
        let outages: OutageWatch
        do throws(KafkaFailure) {
            outages = try OutageWatch(client: client)
        } catch {
            helper.stop()
            throw error
        }
        unsafe owner.pointer.pointee.begin(client, helper, outages)
        unsafe owner.pointer.pointee.explain = {
            SessionTimeout.failure($0, of: client, properties, instance: instance)
        }
        unsafe rd_kafka_poll_set_consumer(client.pointer)
        do throws(KafkaFailure) {
            try client.subscribe(to: topics)
        } catch {
            outages.stop()
            helper.stop()
            throw error
        }
        wantsDebug = properties["debug"] != nil
        self.owner = owner
        unsafe state = owner.pointer
        self.signal = signal
        self.client = client
        self.helper = helper
        self.outages = outages
        unsafe queue = rd_kafka_queue_get_consumer(client.pointer)
        commits = CommitQueue(client: client, signal: signal, limit: stallLimit)
        unsafe batch = .allocate(capacity: 512)
        unsafe batch.initialize(repeating: nil)
        var one: UInt64 = 1
        unsafe rd_kafka_queue_io_event_enable(queue, signal.number, &one, 8)
    }

    deinit {
        leave(leavingGroup: true)
        unsafe batch.deallocate()
    }

    /// Hands over at most `limit` fetched records; see ``RecordSource/take(atMost:_:)``.
    public mutating func take(atMost limit: Int, _ body: (borrowing Record) -> Void) -> Int {
        take(atMost: limit, while: { true }, body)
    }

    /// The same, for as long as `mayContinue` returns true; see
    /// ``RecordSource/take(atMost:while:_:)``.
    public mutating func take(
        atMost limit: Int, while mayContinue: () -> Bool, _ body: (borrowing Record) -> Void
    ) -> Int {
        if clearsDescriptor { signal.clear() }
        var taken = 0
        var bytes = 0
        var isEmpty = false
        repeat {
            if held.isEmpty {
                let wanted = unsafe min(limit - taken, batch.count)
                let count = fetched(atMost: wanted)
                isEmpty = count < wanted
                guard count > 0 else { break }
                held = 0..<count
            }
            var isLate = false
            while !isLate, taken < limit, let index = held.popFirst() {
                taken += 1
                guard let message = unsafe batch[index] else { continue }
                bytes += unsafe message.pointee.len
                unsafe handOver(message, body)
                isLate = !mayContinue()
            }
            if !held.isEmpty { isEmpty = false }
            if isEmpty || isLate { break }
        } while taken < limit
        if isEmpty { unsafe state.pointee.logEnds.queueWasEmpty() }
        helper.noticed(taken, bytes: bytes)
        return taken
    }

    /// Puts fetched messages into the batch; returns how many there were.
    private func fetched(atMost limit: Int) -> Int {
        SingleRecords.areNeeded
            ? unsafe SingleRecords.take(limit, of: queue, into: batch)
            : unsafe rd_kafka_consume_batch_queue(queue, 0, batch.baseAddress, limit)
    }

    private func handOver(
        _ message: UnsafeMutablePointer<rd_kafka_message_t>, _ body: (borrowing Record) -> Void
    ) {
        guard unsafe message.pointee.err == RD_KAFKA_RESP_ERR_NO_ERROR else {
            unsafe state.pointee.note(message)
            unsafe rd_kafka_message_destroy(message)
            return
        }
        guard let index = unsafe state.pointee.partitionStart(of: message) else {
            unsafe rd_kafka_message_destroy(message)
            return
        }
        let appended = unsafe state.pointee.appendTime(of: message, at: index)
        unsafe body(
            Record(
                message, of: state.pointee.slots[index].id,
                at: state.pointee.slots[index].topicPartition, appended: appended))
    }

    /// The next assignment change that the owner has not seen.
    public mutating func nextChange() -> AssignmentChange? {
        // What is held belongs to the assignments as they are. The library announces no change
        // before it is taken, because that is when its queue is served.
        guard held.isEmpty else { return nil }
        // Here and not in `take`: no record may come before its assignment was reported.
        if let result = helper.nextResult() { unsafe state.pointee.startAssigned(result) }
        followRestarts()
        joinAgainIfNeeded()
        return unsafe state.pointee.changes.isEmpty ? nil : state.pointee.changes.removeFirst()
    }

    /// Finds out where to continue in partitions whose log was replaced, and continues there.
    private mutating func followRestarts() {
        for partition in helper.takeReplaced() { unsafe state.pointee.replaced(partition) }
        for stall in helper.takeStalls() { unsafe state.pointee.stalled(stall) }
        if unsafe state.pointee.hasQuestions, mayCommit {
            unsafe state.pointee.askForRestarts { commits.isCommitting($0) }
        }
        while let result = helper.nextRestart() { unsafe state.pointee.restarts.append(result) }
        guard unsafe !state.pointee.restarts.isEmpty else { return }
        readLog()
        if !phase.isChanging { unsafe state.pointee.restart() }
    }

    /// Leaves the group and joins it again if no member has some partitions: see
    /// ``ConsumerHelper/Membership``.
    private mutating func joinAgainIfNeeded() {
        let unassigned = helper.takeUnassigned()
        guard !unassigned.isEmpty else { return }
        logs.append(
            KafkaLog(
                level: 5, facility: "REJOIN",
                message: "no member of the group has some partitions of"
                    + " \(unassigned.joined(separator: ", ")): joining it again"))
        unsafe rd_kafka_unsubscribe(client.pointer)
        do throws(KafkaFailure) {
            try client.subscribe(to: helper.topics)
        } catch {
            // Without a subscription nothing would be read: the worker starts again.
            var failure = error
            failure.isFatal = true
            unsafe state.pointee.failures.note(failure)
        }
    }

    /// Gives up revoked partitions; the library is notified once the last one is given up.
    public mutating func release(_ assignments: [AssignmentID]) {
        readLog()
        let wasRevoking = unsafe state.pointee.isRevoking
        unsafe state.pointee.release(assignments)
        if wasRevoking, unsafe !state.pointee.isRevoking {
            phase.willRejoin(at: milliseconds())
        }
    }

    /// True for a topic that matches a pattern and was deleted.
    public func wasDeleted(_ topic: String) -> Bool { helper.isMissing(topic) }

    /// True when no topic matches a pattern, and none of the source is listed by name.
    public var awaitsTopics: Bool { helper.awaitsTopics }

    /// Starts to commit; ``nextCommitReport()`` returns the result.
    public mutating func commit(_ offsets: [OffsetCommit]) {
        var known: [TopicPartition: OffsetCommit] = [:]
        var gone: [OffsetCommit] = []
        for commit in offsets {
            if let slot = unsafe state.pointee.slot(commit.assignment), slot.fault == nil {
                known[slot.topicPartition] = commit
                unsafe state.pointee.willCommit(slot.topicPartition, commit)
            } else {
                gone.append(commit)
            }
        }
        if !gone.isEmpty { commits.refuse(gone) }
        if !known.isEmpty { commits.start(known) }
    }

    /// The next commit result.
    public mutating func nextCommitReport() -> CommitReport? {
        guard let report = commits.nextReport() else { return nil }
        if report.failure == nil { unsafe state.pointee.didCommit(report.commits) }
        return report
    }

    /// The next failure that the owner has not seen.
    public mutating func nextFailure() -> KafkaFailure? {
        if let failure = helper.nextFailure() { return failure }
        return unsafe state.pointee.failures.isEmpty ? nil : state.pointee.failures.removeFirst()
    }

    /// How many records and events of the library wait to be taken.
    public var queuedRecords: Int {
        guard unsafe !state.pointee.isClosed, !client.isLeftBehind else { return 0 }
        return unsafe rd_kafka_queue_length(queue)
    }

    /// The outage of Kafka that lasts; nil while a broker can be reached.
    public var outage: KafkaOutage? { outages.outage }

    /// The offset after the last record of a partition, as the last fetch reported it; while it is
    /// paused, as its leader said within the last minute.
    public func end(of assignment: AssignmentID) -> Int64? {
        guard let slot = unsafe state.pointee.slot(assignment) else { return nil }
        var low: Int64 = 0
        var high: Int64 = 0
        let error = unsafe rd_kafka_get_watermark_offsets(
            client.pointer, slot.topicPartition.topic, slot.topicPartition.partition, &low, &high)
        let fetched = error == RD_KAFKA_RESP_ERR_NO_ERROR && high >= 0 ? high : nil
        let asked = helper.end(ofPaused: slot.topicPartition)
        return asked.map { max($0, fetched ?? 0) } ?? fetched
    }

    /// The next line of the library's log.
    public mutating func nextLog() -> KafkaLog? {
        readLog()
        return logs.isEmpty ? nil : logs.removeFirst()
    }

    /// Collects the library's log, and learns from it whether the group is rejoining: not with a
    /// library that needs no such knowledge, whoever asks for these lines.
    private mutating func readLog() {
        while let line = client.nextLog() {
            if GroupPhase.isNeeded { phase.note(line) }
            if line.level < 7 || wantsDebug { logs.append(line) }
        }
    }

    /// False while the group rebalances: see `GroupPhase`.
    public var mayCommit: Bool {
        mutating get {
            readLog()
            return !phase.isJoining(at: milliseconds())
        }
    }

    /// Pauses these partitions.
    public mutating func pause(_ assignments: [AssignmentID]) {
        unsafe state.pointee.pause(assignments)
    }

    /// Resumes these partitions, without librdkafka's usual delay.
    public mutating func resume(_ assignments: [AssignmentID]) {
        unsafe state.pointee.resume(assignments)
    }

    /// Leaves the group; do not use the consumer afterwards. All records must have been released.
    ///
    /// While the group rebalances, the broker reads a request to leave only when the rebalance has
    /// ended, which may take minutes. After two seconds the member ends without that request: false
    /// is returned, and its partitions are assigned to others after one session timeout.
    @discardableResult
    public mutating func close() -> Bool { close(by: milliseconds) }

    /// Does the same by another clock, in milliseconds.
    mutating func close(by clock: () -> Int) -> Bool {
        leave(leavingGroup: waitForGroup(by: clock, milliseconds: 2000))
    }

    /// Waits until the group would read a request to leave; false when it did not in time.
    private mutating func waitForGroup(by clock: () -> Int, milliseconds limit: Int) -> Bool {
        let end = clock() + limit
        while !mayCommit {
            guard clock() < end else { return false }
            signal.wait(milliseconds: 20)
            _ = take(atMost: 0) { _ in }
        }
        return true
    }

    /// Ends the member; true when it has left the group.
    @discardableResult
    func leave(leavingGroup: Bool) -> Bool {
        guard unsafe !state.pointee.isClosed, !client.isLeftBehind else { return true }
        outages.stop()
        helper.stop()
        unsafe state.pointee.prepareToLeave()
        for index in held {
            if let message = unsafe batch[index] { unsafe rd_kafka_message_destroy(message) }
        }
        unsafe rd_kafka_queue_io_event_enable(queue, -1, nil, 0)
        // The queue must be destroyed before the consumer is closed.
        unsafe rd_kafka_queue_destroy(queue)
        // A library whose log does not say when the group rebalances is waited for here.
        let limit: Int32 = GroupPhase.isNeeded ? 5000 : 2000
        if leavingGroup, !closeConsumer(milliseconds: limit) { return false }
        if isUndestroyable { client.leaveBehind() }
        commits.close()
        unsafe state.pointee.left()
        // At once: while it exists, the group may still assign partitions to it.
        client.destroy(acknowledgingAssignment: !leavingGroup)
        return leavingGroup
    }

    /// What the log says now: the group may have responded since it was last read.
    private var isUndestroyable: Bool {
        var phase = phase
        while GroupPhase.isNeeded, let line = client.nextLog() { phase.note(line) }
        return phase.isUndestroyable
    }

    /// Closes the consumer; false when the library has not finished in time, for example because a
    /// rebalance began at the same moment. The client is then left behind with its state.
    private func closeConsumer(milliseconds limit: Int32) -> Bool {
        let isDone = HelperThread.run("kafka-close", milliseconds: limit) { [client] in
            unsafe rd_kafka_consumer_close(client.pointer)
        }
        if isDone { return true }
        client.leaveBehind()
        // Its callbacks may still be called.
        _ = unsafe Unmanaged.passRetained(owner)
        return false
    }
}

extension Client {
    /// Subscribes to the topics that the group reads.
    func subscribe(to topics: TopicSelection) throws(KafkaFailure) {
        let list = PartitionList(topics.entries.map { TopicPartition(topic: $0, partition: -1) })
        let result = unsafe rd_kafka_subscribe(pointer, list.pointer)
        if result != RD_KAFKA_RESP_ERR_NO_ERROR {
            throw KafkaFailure(result, "subscribe to \(topics.entries.joined(separator: ", "))")
        }
    }
}

/// Where a group starts in a partition without a committed offset.
public enum StartPosition: String, Sendable {
    /// At the oldest record that Kafka still has.
    case earliest
    /// After the newest record.
    case latest
}
