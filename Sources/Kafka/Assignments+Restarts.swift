internal import CRDKafka
internal import Delivery

/// What happens when Kafka does not have the next offset to read.
///
/// librdkafka is configured to report this (`auto.offset.reset=error`) rather than pick an offset
/// itself: whatever it picked would look like records that were never there. It then stops reading
/// that partition. The helper finds out what happened to the log; then the partition is removed
/// from the library's assignment and added again, which is the only way to make it continue.
extension Assignments {
    /// The library reports that an offset is missing.
    mutating func refused(_ message: UnsafeMutablePointer<rd_kafka_message_t>) {
        guard let topic = unsafe message.pointee.rkt else { return }
        let partition = unsafe TopicPartition(
            topic: String(cString: rd_kafka_topic_name(topic)),
            partition: message.pointee.partition)
        let offset = unsafe message.pointee.offset
        mark(partition) { slot in
            // The library reads ahead: the error may refer to the log that existed before.
            let isOld = slot.next == slot.start && offset != slot.start
            return Fault(refused: isOld ? nil : offset)
        }
    }

    /// The log of a partition ends before an end offset seen earlier.
    mutating func replaced(_ partition: TopicPartition) {
        mark(partition) { _ in Fault(refused: nil) }
    }

    /// No records arrive from a partition although its log grows: it is removed from the library's
    /// assignment and added again.
    mutating func stalled(_ stall: Stall) {
        guard
            let slot = slots.first(where: { $0.topicPartition == stall.partition }),
            !slot.isRevoked, slot.fault == nil, !slot.isPaused
        else { return }
        let name = "\(stall.partition.topic)/\(stall.partition.partition)"
        failures.note(
            KafkaFailure(
                RD_KAFKA_RESP_ERR__TIMED_OUT,
                detail: "no records arrive from \(name) although it is not paused: its position is"
                    + " \(stall.position), the next offset to read is \(slot.next), and its log"
                    + " ends at \(stall.end); reassigning it"))
        replaced(stall.partition)
    }

    private mutating func mark(_ partition: TopicPartition, _ fault: (Slot) -> Fault) {
        guard
            let index = slots.firstIndex(where: {
                $0.topicPartition == partition && !$0.isRevoked && $0.fault == nil
            })
        else { return }
        change { $0[index].fault = fault($0[index]) }
    }

    /// True when the helper is to be asked where a partition continues. Not during a revocation,
    /// after which the member rejoins: the helper commits the place.
    var hasQuestions: Bool {
        mayRestart && slots.contains { !$0.isRevoked && $0.fault?.isAsked == false }
    }

    /// Asks the helper where to continue, once no earlier commit is in progress.
    mutating func askForRestarts(unless isCommitting: (TopicPartition) -> Bool) {
        for index in slots.indices where !slots[index].isRevoked {
            let slot = slots[index]
            guard let fault = slot.fault, !fault.isAsked, !isCommitting(slot.topicPartition) else {
                continue
            }
            let known = known(slot.topicPartition)
            helper?.findRestart(
                RestartRequest(
                    id: slot.id, partition: slot.topicPartition, next: slot.next,
                    refused: fault.refused, finished: known?.time,
                    partitionCount: known?.partitionCount))
            change { $0[index].fault?.isAsked = true }
        }
    }

    /// True when the library is not waiting for a response to an assignment change; it would
    /// mistake another change for that response.
    private var mayRestart: Bool { pending == nil && !isRevoking }

    /// Lets these partitions be read again; keeps those for which this must be retried.
    mutating func restart() {
        guard mayRestart else { return }
        let results = restarts
        restarts = []
        for result in results where !restart(result) { restarts.append(result) }
    }

    /// Lets a partition be read again; false when this must be retried.
    private mutating func restart(_ result: RestartResult) -> Bool {
        guard let slot = slot(result.id), let index = slots.firstIndex(where: { $0.id == slot.id }),
            let fault = slot.fault, !slot.isRevoked
        else { return true }
        let partitionStart = PartitionStart(
            partition: slot.topicPartition, committed: result.reset?.to ?? slot.next,
            metadata: result.metadata, partitionCount: known(slot.topicPartition)?.partitionCount,
            reset: result.reset)
        if !fault.isStopped {
            let list = PartitionList([slot.topicPartition])
            guard reply(list, RD_KAFKA_RESP_ERR__REVOKE_PARTITIONS, isRepeated: true) else {
                return false
            }
            change { $0[index].fault?.isStopped = true }
        }
        helper?.forgetEnd(of: partitionStart.partition, nowAt: result.end)
        let list = PartitionList()
        list.append(partitionStart.partition, offset: partitionStart.committed)
        guard reply(list, RD_KAFKA_RESP_ERR__ASSIGN_PARTITIONS, isRepeated: true) else {
            return false
        }
        // The library keeps a partition paused even after it leaves the assignment.
        if partitionStart.reset != nil || !slot.isPaused { resumeInLibrary(list) }
        guard partitionStart.reset != nil else {
            change { $0[index].fault = nil }
            follow()
            return true
        }
        change { $0.remove(at: index) }
        // The owner has not paused the new assignment yet.
        changes.append(.replaced(slot.id, by: add(partitionStart)))
        follow()
        return true
    }
}
