internal import CRDKafka
internal import Delivery

/// Records that the library drops when the assignment changes; fixed in librdkafka 2.1.
extension Assignments {
    /// True for the versions that need this workaround.
    static var losesPurgedRecords: Bool { rd_kafka_version() < 0x0201_00FF }

    /// Moves the library back to the first record that was not handed over.
    ///
    /// When an assignment change interrupts a batch, the library drops the records gathered so far
    /// but counts them as handed over: they would be lost.
    mutating func rereadPurged(_ client: Client) {
        let reading = slots.lazy.filter { !$0.isRevoked && $0.fault == nil }
        let list = PartitionList(reading.map(\.topicPartition))
        guard list.count > 0 else { return }
        unsafe rd_kafka_position(client.pointer, list.pointer)
        var expected: [TopicPartition: Int64] = [:]
        for slot in slots { expected[slot.topicPartition] = slot.next }
        let behind = PartitionList()
        list.forEach { position in
            if let next = expected[position.partition], position.offset > next {
                behind.append(position.partition, offset: next)
            }
        }
        guard behind.count > 0 else { return }
        forgetEnds()
        if let error = unsafe rd_kafka_seek_partitions(client.pointer, behind.pointer, 0) {
            unsafe rd_kafka_error_destroy(error)
        }
    }
}
