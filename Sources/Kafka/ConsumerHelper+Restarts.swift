internal import CRDKafka
internal import Delivery
internal import Synchronization

/// A partition whose log does not have the next offset to read.
struct RestartRequest {
    var id: AssignmentID
    var partition: TopicPartition
    /// The next offset to hand over.
    var next: Int64
    /// The offset that Kafka did not have; nil when no offset was refused.
    var refused: Int64?
    /// The time of the last finished record, if it is known.
    var finished: Int64?
    /// The number of partitions that its topic had when the group began to read it.
    var partitionCount: Int?
}

/// Where to continue in that partition.
struct RestartResult {
    var id: AssignmentID
    /// Nil when the log is still the same: reading continues where it was.
    var reset: PositionReset?
    /// Where the log ended when this was determined.
    var end: Int64
    /// What was committed with it.
    var metadata: String
}

extension ConsumerHelper {
    /// Finds out where to continue, and commits it; false when this must be retried.
    ///
    /// The end of the log that was replaced is kept until the owner continues in the new one: a
    /// rebalance may cancel the request or discard its result, and the next request must notice the
    /// replacement as well, although the new log has grown past the next offset.
    func process(_ request: RestartRequest) -> Bool {
        let highest = state.withLock { $0.highest[request.partition] }
        let marks = watermarks(of: request.partition, milliseconds: 2000)
        var failure: KafkaFailure?
        var reset: PositionReset?
        var metadata = ""
        var error = marks.error
        if error == RD_KAFKA_RESP_ERR_NO_ERROR {
            reset = PositionReset(
                next: request.next, refused: request.refused, low: marks.low, high: marks.high,
                highest: highest)
            if reset != nil { error = choose(&reset, request.partition, request.finished) }
        }
        if error != RD_KAFKA_RESP_ERR_NO_ERROR {
            let name = "\(request.partition.topic)/\(request.partition.partition)"
            failure = KafkaFailure(
                error, detail: "cannot determine where \(name) continues: \(errorMessage(error))")
        } else if let reset {
            metadata =
                reset.mark(partitionCount: request.partitionCount, finished: request.finished).text
            failure = commit(request, reset.to, &metadata)
        }
        state.withLock { state in
            guard let index = state.restarts.firstIndex(where: { $0.id == request.id }) else {
                return
            }
            if let failure {
                state.failures.note(failure)
            } else {
                state.restarts.remove(at: index)
                state.restarted.append(
                    RestartResult(
                        id: request.id, reset: reset, end: marks.high, metadata: metadata))
            }
        }
        owner.signal()
        return failure == nil
    }

    private func commit(
        _ request: RestartRequest, _ offset: Int64, _ metadata: inout String
    ) -> KafkaFailure? {
        let isWanted = { (state: State) in state.restarts.contains { $0.id == request.id } }
        let list = PartitionList()
        list.append(request.partition, offset: offset, metadata: metadata)
        let failure = commitAndWait(list, if: isWanted)
        guard failure?.isAboutMetadata == true else { return failure }
        metadata = ""
        let bare = PartitionList()
        bare.append(request.partition, offset: offset)
        return commitAndWait(bare, if: isWanted)
    }

    /// Chooses where to go on in a log that was replaced, by the time of the last finished record.
    func choose(
        _ reset: inout PositionReset?, _ partition: TopicPartition, _ finished: Int64?
    ) -> rd_kafka_resp_err_t {
        guard reset?.cause == .replaced, let finished else {
            reset?.choose(finished: nil, offset: nil)
            return RD_KAFKA_RESP_ERR_NO_ERROR
        }
        let time = PositionReset.searchTime(finished: finished)
        let found = offset(of: partition, since: time, milliseconds: 2000)
        reset?.choose(finished: finished, offset: found.offset)
        return found.error
    }
}
