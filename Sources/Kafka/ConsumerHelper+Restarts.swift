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
}

/// Where to continue in that partition.
struct RestartResult {
    var id: AssignmentID
    /// Nil when the log is still the same: reading continues where it was.
    var reset: PositionReset?
    /// Where the log ended when this was determined.
    var end: Int64
}

extension ConsumerHelper {
    /// Finds out where to continue, and commits it; false when this must be retried.
    ///
    /// The end of the log that was replaced is kept until the owner continues in the new one: a
    /// rebalance may cancel the request or discard its result, and the next request must notice the
    /// replacement as well, although the new log has grown past the next offset.
    func answer(_ request: RestartRequest) -> Bool {
        let highest = state.withLock { $0.highest[request.partition] }
        let marks = watermarks(of: request.partition, milliseconds: 2000)
        var failure: KafkaFailure?
        var reset: PositionReset?
        if marks.error == RD_KAFKA_RESP_ERR_NO_ERROR {
            reset = PositionReset(
                next: request.next, refused: request.refused, low: marks.low, high: marks.high,
                highest: highest)
            if let reset { failure = commit(request, reset.to) }
        } else {
            let place = "\(request.partition.topic)/\(request.partition.partition)"
            failure = KafkaFailure(
                marks.error,
                detail: "cannot determine the first offset of \(place): \(errorWords(marks.error))")
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
                    RestartResult(id: request.id, reset: reset, end: marks.high))
            }
        }
        owner.signal()
        return failure == nil
    }

    private func commit(_ request: RestartRequest, _ offset: Int64) -> KafkaFailure? {
        let list = PartitionList()
        list.append(request.partition, offset: offset)
        return commitAndWait(list) { $0.restarts.contains { $0.id == request.id } }
    }
}
