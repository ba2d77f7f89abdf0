internal import CRDKafka
internal import Delivery

/// What happens when Kafka does not have the offset that is to be read next.
///
/// The library is told to say so (`auto.offset.reset=error`) and not to choose by itself: what it
/// chose would look like records that were never there. It then reads that partition no further.
/// The helper finds out what has happened to the log; then the partition is taken out of the
/// library's assignment and put in again, which is the only way to make it read on.
extension Assignments {
    /// The library says that an offset is not there.
    mutating func refused(_ message: UnsafeMutablePointer<rd_kafka_message_t>) {
        guard let topic = unsafe message.pointee.rkt else { return }
        let partition = unsafe TopicPartition(
            topic: String(cString: rd_kafka_topic_name(topic)),
            partition: message.pointee.partition)
        let offset = unsafe message.pointee.offset
        mark(partition) { slot in
            // The library reads ahead: a refusal may be about the log that was there before.
            let isOld = slot.next == slot.start && offset != slot.start
            return Fault(refused: isOld ? nil : offset)
        }
    }

    /// The log of a partition ends before an end that was seen.
    mutating func replaced(_ partition: TopicPartition) {
        mark(partition) { _ in Fault(refused: nil) }
    }

    /// Nothing comes from a partition although its log grows: it is taken out of the library's
    /// assignment and put in again.
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

    /// Asks the helper where to continue, once nothing is underway that was committed before.
    mutating func askForRestarts(unless isCommitting: (TopicPartition) -> Bool) {
        for index in slots.indices where !slots[index].isRevoked {
            let slot = slots[index]
            guard let fault = slot.fault, !fault.isAsked, !isCommitting(slot.topicPartition) else {
                continue
            }
            helper?.findRestart(
                RestartRequest(
                    id: slot.id, partition: slot.topicPartition, next: slot.next,
                    refused: fault.refused))
            change { $0[index].fault?.isAsked = true }
        }
    }

    /// True when the library does not wait for a response about its assignment, which a change of
    /// it would be taken for.
    var mayRestart: Bool { pending == nil && !isRevoking }

    /// Lets a partition be read on; false when it must be tried again.
    mutating func restart(_ result: RestartResult) -> Bool {
        guard let slot = slot(result.id), let index = slots.firstIndex(where: { $0.id == slot.id }),
            let fault = slot.fault, !slot.isRevoked
        else { return true }
        let place = Place(
            partition: slot.topicPartition, committed: result.reset?.to ?? slot.next, metadata: "",
            reset: result.reset)
        if !fault.isStopped {
            let list = PartitionList([slot.topicPartition])
            guard answer(list, RD_KAFKA_RESP_ERR__REVOKE_PARTITIONS) else { return false }
            change { $0[index].fault?.isStopped = true }
        }
        let list = PartitionList()
        list.append(place.partition, offset: place.committed)
        guard answer(list, RD_KAFKA_RESP_ERR__ASSIGN_PARTITIONS) else { return false }
        // The library remembers a pause beyond the assignment.
        if place.reset != nil || !slot.isPaused { resumeInLibrary(list) }
        guard place.reset != nil else {
            change { $0[index].fault = nil }
            return true
        }
        change { $0.remove(at: index) }
        // Nobody has paused the new one yet.
        changes.append(.replaced(slot.id, by: add(place)))
        helper?.follow(flowing)
        return true
    }
}
