internal import CRDKafka
internal import Delivery

extension Record {
    /// Wraps a message of the library, which is destroyed when the record is released.
    init(
        _ message: UnsafeMutablePointer<rd_kafka_message_t>, of assignment: AssignmentID,
        at topicPartition: TopicPartition, appended: AppendTime?
    ) {
        var kind = RD_KAFKA_TIMESTAMP_NOT_AVAILABLE
        let timestamp = unsafe rd_kafka_message_timestamp(message, &kind)
        unsafe self.init(
            assignment: assignment, topicPartition: topicPartition, offset: message.pointee.offset,
            timestamp: timestamp < 0 ? nil : timestamp,
            key: message.pointee.key.map {
                unsafe UnsafeRawBufferPointer(start: $0, count: message.pointee.key_len)
            },
            value: message.pointee.payload.map {
                unsafe UnsafeRawBufferPointer(start: $0, count: message.pointee.len)
            },
            owner: message,
            access: RecordAccess(release: releaseMessage, header: headerOfMessage),
            appended: appended, isLogAppendTime: kind == RD_KAFKA_TIMESTAMP_LOG_APPEND_TIME)
    }
}

private func releaseMessage(_ owner: UnsafeMutableRawPointer) {
    unsafe rd_kafka_message_destroy(owner.assumingMemoryBound(to: rd_kafka_message_t.self))
}

private func headerOfMessage(_ owner: UnsafeMutableRawPointer, _ index: Int) -> RecordHeader? {
    var headers: OpaquePointer?
    let message = unsafe owner.assumingMemoryBound(to: rd_kafka_message_t.self)
    guard unsafe rd_kafka_message_headers(message, &headers) == RD_KAFKA_RESP_ERR_NO_ERROR,
        let headers = unsafe headers
    else { return nil }
    return unsafe headerAt(index, of: headers)
}
