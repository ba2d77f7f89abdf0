internal import CRDKafka
internal import Delivery
internal import Synchronization

/// A request for the start offsets of an assignment's partitions.
struct StartOffsetsRequest {
    var number: Int
    var partitions: [TopicPartition]
    /// What the member knows of the partitions it owned before.
    var known: [TopicPartition: KnownPartition]
    /// How often it has waited for the commit of another member.
    var waits = 0
    /// How often it has failed.
    var tries = 0
}

/// The response to the request with that number.
struct StartOffsetsResult {
    var number: Int
    var partitionStarts: [PartitionStart]
}

/// The offset at which reading a partition starts; the group has committed it.
struct PartitionStart {
    var partition: TopicPartition
    var committed: Int64
    var metadata: String
    /// The number of partitions that its topic had when the group began to read it; nil if that is
    /// unknown.
    var partitionCount: Int?
    /// True when it was added to its topic later, and the group begins to read it now.
    var isAdded = false
    var reset: PositionReset?
}

extension ConsumerHelper {
    /// Determines the start offsets; false when this must be retried.
    func process(_ request: StartOffsetsRequest) -> Bool {
        let found = readStartOffsets(request)
        if let awaited = found.awaited { return wait(for: awaited, request) }
        let failure =
            found.failure
            ?? commitNewStarts(found.new) { $0.request?.number == request.number }
        state.withLock { state in
            guard state.request?.number == request.number else { return }
            if let failure {
                state.request?.tries += 1
                if !found.mayBeDeleted { state.failures.note(failure) }
            } else {
                state.request = nil
                state.result = StartOffsetsResult(
                    number: request.number, partitionStarts: found.requested)
            }
        }
        owner.signal()
        return failure == nil
    }

    /// What was found out about the partitions of a request.
    private struct FoundStarts {
        var requested: [PartitionStart] = []
        /// Those to commit: some of the requested partitions, and perhaps others.
        var new: [PartitionStart] = []
        /// The partition whose member commits where the group begins; nil unless that is awaited.
        var awaited: TopicPartition?
        var failure: KafkaFailure?
        /// True for a failure that a deleted topic may explain: that is found out first.
        var mayBeDeleted = false

        mutating func fail(_ error: rd_kafka_resp_err_t, at partition: TopicPartition? = nil) {
            let name = partition.map { " of \($0.topic)/\($0.partition)" } ?? ""
            let reason = "cannot read the committed offsets\(name): \(errorMessage(error))"
            failure = failure ?? KafkaFailure(error, detail: reason)
        }
    }

    private func readStartOffsets(_ request: StartOffsetsRequest) -> FoundStarts {
        var found = FoundStarts()
        let list = PartitionList(request.partitions)
        let error = unsafe rd_kafka_committed(client.pointer, list.pointer, 2000)
        guard error == RD_KAFKA_RESP_ERR_NO_ERROR else {
            found.fail(error)
            return found
        }
        var missing: [TopicPartition] = []
        let counts = firstCounts(list)
        list.forEach { element in
            if element.error != RD_KAFKA_RESP_ERR_NO_ERROR {
                found.fail(element.error, at: element.partition)
            } else if element.offset >= 0 {
                let start = PartitionStart(
                    partition: element.partition, committed: element.offset,
                    metadata: element.metadata, partitionCount: counts[element.partition.topic])
                forgetEnd(ifRead: start, known: request.known[element.partition])
                found.requested.append(start)
            } else {
                missing.append(element.partition)
            }
        }
        if found.failure == nil { findNewStarts(of: missing, request, counts, &found) }
        return found
    }

    /// Determines where partitions without a committed offset start.
    private func findNewStarts(
        of missing: [TopicPartition], _ request: StartOffsetsRequest, _ counts: [String: Int],
        _ found: inout FoundStarts
    ) {
        let gone = deletedTopics(among: missing, request)
        found.requested += missing.filter { gone.contains($0.topic) }.map {
            PartitionStart(partition: $0, committed: 0, metadata: "", isAdded: true)
        }
        for partition in missing where gone.contains(partition.topic) {
            // If it is created again, its log is not compared with the end of the deleted one.
            forgetEnd(of: partition, nowAt: 0)
        }
        let missing = missing.filter { !gone.contains($0.topic) }
        var topics = newTopics(
            request.partitions, without: missing.filter { request.known[$0] == nil },
            takesOver: request.waits >= Self.maxWaits)
        found.awaited = topics.awaited
        if topics.error != RD_KAFKA_RESP_ERR_NO_ERROR { found.fail(topics.error) }
        for partition in missing where found.failure == nil && topics.awaited == nil {
            guard !isStopping else { return }
            let known = request.known[partition]
            // Without the number, nobody knows where to start.
            guard let count = counts[partition.topic] ?? known?.partitionCount else {
                found.mayBeDeleted = mayBeDeleted(partition.topic, request)
                return found.fail(RD_KAFKA_RESP_ERR__TIMED_OUT, at: partition)
            }
            let (start, error) = newStart(
                partition, known: known, firsts: count,
                hasAppeared: topics.appeared.contains(partition.topic))
            guard error == RD_KAFKA_RESP_ERR_NO_ERROR else {
                found.mayBeDeleted = mayBeDeleted(partition.topic, request)
                return found.fail(error, at: partition)
            }
            found.requested.append(start)
            found.new.append(start)
        }
        found.new += ends(of: topics.others, &topics.error)
        if topics.error != RD_KAFKA_RESP_ERR_NO_ERROR { found.fail(topics.error) }
    }

    /// Another member commits where the group begins; after half a minute this one does.
    private func wait(for partition: TopicPartition, _ request: StartOffsetsRequest) -> Bool {
        let isLong = state.withLock { state in
            guard state.request?.number == request.number else { return false }
            state.request?.waits += 1
            return state.request?.waits == Self.maxWaits
        }
        guard isLong else { return false }
        let name = "\(partition.topic)/\(partition.partition)"
        note(
            KafkaFailure(
                RD_KAFKA_RESP_ERR__TIMED_OUT,
                detail: "the member with \(name) has not committed where the group begins:"
                    + " this one does so"))
        return false
    }

    /// The start offset of a partition without a committed offset.
    ///
    /// Whatever this member had read was committed: if it is gone, the topic was recreated, and is
    /// read on by the time of the last finished record, whatever the connector sets for new groups.
    /// That is set for the partitions that the topic had when the group began to read it: `firsts`;
    /// not for a topic that has appeared since the group began.
    private func newStart(
        _ partition: TopicPartition, known: KnownPartition?, firsts: Int, hasAppeared: Bool
    ) -> (partitionStart: PartitionStart, error: rd_kafka_resp_err_t) {
        let highest = state.withLock { $0.highest[partition] }
        let marks = watermarks(of: partition, milliseconds: 2000)
        var partitionStart = PartitionStart(
            partition: partition, committed: marks.low,
            metadata: LogMark(partitionCount: firsts).text, partitionCount: firsts)
        guard marks.error == RD_KAFKA_RESP_ERR_NO_ERROR else {
            return (partitionStart, marks.error)
        }
        if let known {
            var reset: PositionReset? = PositionReset(
                cause: .replaced, from: known.next, to: marks.low,
                gone: highest.map { max(0, $0 - known.next) })
            let error = choose(&reset, partition, known.time)
            guard error == RD_KAFKA_RESP_ERR_NO_ERROR, let reset else {
                return (partitionStart, error)
            }
            partitionStart.committed = reset.to
            partitionStart.metadata = reset.mark(partitionCount: firsts, finished: known.time).text
            partitionStart.reset = reset
            forgetEnd(of: partition, nowAt: marks.high)
        } else if hasAppeared || partition.partition >= firsts {
            partitionStart.isAdded = true
        } else if start == .latest, !alwaysFromBeginning.contains(partition.topic) {
            partitionStart.committed = marks.high
        }
        return (partitionStart, marks.error)
    }

    /// Commits the start offsets of a new group, so that the next owner starts there too.
    private func commitNewStarts(
        _ partitionStarts: [PartitionStart], if isWanted: (State) -> Bool
    ) -> KafkaFailure? {
        let list = PartitionList()
        let bare = PartitionList()
        for partitionStart in partitionStarts {
            list.append(
                partitionStart.partition, offset: partitionStart.committed,
                metadata: partitionStart.metadata)
            bare.append(partitionStart.partition, offset: partitionStart.committed)
        }
        guard list.count > 0 else { return nil }
        let failure = commitAndWait(list, if: isWanted)
        guard failure?.isAboutMetadata == true else { return failure }
        return commitAndWait(bare, if: isWanted)
    }

    /// Commits if that is still wanted, and waits for the coordinator; returns the reason if the
    /// commit failed.
    ///
    /// A commit starts under the same lock under which requests are cancelled: either a concurrent
    /// rebalance finds it among the commits that the library completes first, or it never starts.
    func commitAndWait(
        _ list: borrowing PartitionList, if isWanted: (State) -> Bool
    ) -> KafkaFailure? {
        guard let queue = unsafe rd_kafka_queue_new(client.pointer) else {
            return failure(RD_KAFKA_RESP_ERR__FAIL)
        }
        defer { unsafe rd_kafka_queue_destroy(queue) }
        let commits = unsafe list.pointer
        let started = state.withLock { state in
            unsafe isWanted(state)
                ? rd_kafka_commit_queue(client.pointer, commits, queue, nil, nil) : nil
        }
        guard let started else { return nil }
        guard started == RD_KAFKA_RESP_ERR_NO_ERROR else { return failure(started) }
        return unsafe waitForCommit(queue)
    }

    /// Waits for the commit to complete, or for this thread to be stopped. After giving up earlier,
    /// the commit could still take effect after a later one.
    private func waitForCommit(_ queue: OpaquePointer) -> KafkaFailure? {
        var rounds = 0
        while !isStopping {
            guard let event = unsafe rd_kafka_queue_poll(queue, 100) else {
                rounds += 1
                if rounds == 20 { note(failure(RD_KAFKA_RESP_ERR__TIMED_OUT)) }
                continue
            }
            defer { unsafe rd_kafka_event_destroy(event) }
            var error = unsafe rd_kafka_event_error(event)
            unsafe PartitionList.forEach(rd_kafka_event_topic_partition_list(event)) {
                if error == RD_KAFKA_RESP_ERR_NO_ERROR { error = $0.error }
            }
            return error == RD_KAFKA_RESP_ERR_NO_ERROR ? nil : failure(error)
        }
        return failure(RD_KAFKA_RESP_ERR__DESTROY)
    }

    private func failure(_ error: rd_kafka_resp_err_t) -> KafkaFailure {
        KafkaFailure(error, detail: "cannot commit the initial offset: \(errorMessage(error))")
    }

    private func note(_ failure: KafkaFailure) {
        state.withLock { $0.failures.note(failure) }
        owner.signal()
    }
}
