internal import CRDKafka

// The library calls these inside `rd_kafka_consume_batch_queue` and `rd_kafka_consumer_close`, on
// the owner's thread, so they may change the consumer's state.

func rebalanced(
    _ client: OpaquePointer?, _ error: rd_kafka_resp_err_t,
    _ partitions: UnsafeMutablePointer<rd_kafka_topic_partition_list_t>?,
    _ opaque: UnsafeMutableRawPointer?
) {
    guard let state = unsafe opaque?.assumingMemoryBound(to: Assignments.self) else { return }
    var list: [PartitionOffset] = []
    unsafe PartitionList.forEach(partitions) { list.append($0) }
    let named = list.map(\.partition)
    if error == RD_KAFKA_RESP_ERR__ASSIGN_PARTITIONS {
        unsafe state.pointee.groupAssigned(named)
    } else {
        unsafe state.pointee.groupRevoked(named)
    }
}

func reportedError(
    _ client: OpaquePointer?, _ error: Int32, _ reason: UnsafePointer<CChar>?,
    _ opaque: UnsafeMutableRawPointer?
) {
    guard let state = unsafe opaque?.assumingMemoryBound(to: Assignments.self) else { return }
    let detail = unsafe reason.map { unsafe String(cString: $0) }
    unsafe state.pointee.note(rd_kafka_resp_err_t(rawValue: error), detail)
}
