internal import CRDKafka
internal import Delivery
internal import Synchronization

/// Where logs begin and end, and whether they are still the same logs.
extension ConsumerHelper {
    /// Asks the leader for the beginning and end of a log.
    func watermarks(
        of partition: TopicPartition, milliseconds: Int32
    ) -> (low: Int64, high: Int64, error: rd_kafka_resp_err_t) {
        var low: Int64 = 0
        var high: Int64 = 0
        let error = unsafe rd_kafka_query_watermark_offsets(
            client.pointer, partition.topic, partition.partition, &low, &high, milliseconds)
        if error == RD_KAFKA_RESP_ERR_NO_ERROR {
            // A leader that responds proves that the topic exists.
            state.withLock { _ = $0.missing.remove(partition.topic) }
            noteEnd(of: partition, high)
        }
        return (low, high, error)
    }

    /// Asks the leader for the offset of the first record that is not earlier than a time; nil if
    /// there is none.
    func offset(
        of partition: TopicPartition, since time: Int64, milliseconds: Int32
    ) -> (offset: Int64?, error: rd_kafka_resp_err_t) {
        let list = PartitionList()
        list.append(partition, offset: time)
        var error = unsafe rd_kafka_offsets_for_times(client.pointer, list.pointer, milliseconds)
        var offset: Int64?
        list.forEach { found in
            if error == RD_KAFKA_RESP_ERR_NO_ERROR { error = found.error }
            if found.offset >= 0 { offset = found.offset }
        }
        return (error == RD_KAFKA_RESP_ERR_NO_ERROR ? offset : nil, error)
    }

    /// Notes how far a log was read, above the committed offset too: it must reach that far, or it
    /// is not the same log, and what is done above the committed offset says nothing about it.
    func noteRead(_ partitionStart: PartitionStart) {
        let done = CompletedOffsets(text: partitionStart.metadata, from: partitionStart.committed)
        guard let end = done.ranges.last?.upperBound else { return }
        state.withLock { state in
            state.highest[partitionStart.partition] = max(
                state.highest[partitionStart.partition] ?? 0, end)
        }
    }

    /// Checks the log ends received with the last records, and asks the leader where one moved
    /// back.
    ///
    /// An end received with records may move back briefly when the leader changes; an end that the
    /// leader returns on request never does.
    /// Source: KIP-207, *Offsets returned by ListOffsetsResponse should be monotonically
    /// increasing even during a partition leader change*.
    func checkEnds(of partitions: [TopicPartition]) {
        for partition in partitions where !isStopping {
            var low: Int64 = 0
            var high: Int64 = 0
            let error = unsafe rd_kafka_get_watermark_offsets(
                client.pointer, partition.topic, partition.partition, &low, &high)
            guard error == RD_KAFKA_RESP_ERR_NO_ERROR, high >= 0,
                let highest = state.withLock({ $0.highest[partition] }), high < highest
            else { continue }
            _ = watermarks(of: partition, milliseconds: 500)
        }
    }

    func noteEnd(of partition: TopicPartition, _ high: Int64) {
        let isReplaced = state.withLock { state in
            if let highest = state.highest[partition], high < highest {
                return state.replaced.insert(partition).inserted
            }
            state.highest[partition] = high
            return false
        }
        if isReplaced { owner.signal() }
    }

    /// Checks whether a log still has the next offset to read.
    func notePosition(of partition: TopicPartition, low: Int64, high: Int64) {
        guard let next = state.withLock({ $0.positions[partition] }) else { return }
        note(next, of: partition, low: low, high: high)
    }

    private func note(_ next: Int64, of partition: TopicPartition, low: Int64, high: Int64) {
        guard next < low || next > high else { return }
        if state.withLock({ $0.replaced.insert(partition).inserted }) { owner.signal() }
    }

    /// Checks whether the logs of paused partitions still have the next offset to read: one that is
    /// replaced could grow past it before its partition resumes.
    ///
    /// Whatever else there is to do comes first, and one leader that does not respond is waited for
    /// at most: the partitions behind it have their turn at the next check.
    func checkPaused() {
        let paused = state.withLock { state in
            guard !state.paused.isEmpty else { return state.paused }
            state.pausedTurns += 1
            let first = state.pausedTurns % state.paused.count
            return Array(state.paused[first...] + state.paused[..<first])
        }
        for one in paused where state.withLock({ $0.isIdle }) {
            let marks = watermarks(of: one.partition, milliseconds: 500)
            guard marks.error == RD_KAFKA_RESP_ERR_NO_ERROR else { return }
            note(one.next, of: one.partition, low: marks.low, high: marks.high)
            state.withLock { state in
                if state.paused.contains(where: { $0.partition == one.partition }) {
                    state.pausedEnds[one.partition] = marks.high
                }
            }
        }
    }

    /// The end of the log of a paused partition, which no fetch reports; nil for others, and
    /// before its leader was asked.
    func end(ofPaused partition: TopicPartition) -> Int64? {
        state.withLock { $0.pausedEnds[partition] }
    }

    /// Discards the recorded end of a log that another member has read since: it was recorded
    /// before, perhaps of a log that was replaced meanwhile.
    ///
    /// An end is recorded again as soon as the partition is assigned.
    func forgetEnd(ifRead partitionStart: PartitionStart, known: KnownPartition?) {
        guard let known, !known.commits.mayBeOurs(partitionStart.committed, partitionStart.metadata)
        else { return }
        state.withLock { state in
            state.highest[partitionStart.partition] = nil
            state.replaced.remove(partitionStart.partition)
        }
    }

    /// Discards what was recorded of the logs of all but these partitions.
    func forgetEnds(except kept: Set<TopicPartition>) {
        state.withLock { state in
            state.highest = state.highest.filter { kept.contains($0.key) }
            state.positions = state.positions.filter { kept.contains($0.key) }
            state.replaced.formIntersection(kept)
        }
    }

    /// Discards the recorded end of a log that was replaced.
    func forgetEnd(of partition: TopicPartition, nowAt high: Int64) {
        state.withLock { state in
            state.highest[partition] = high
            state.replaced.remove(partition)
        }
    }
}
