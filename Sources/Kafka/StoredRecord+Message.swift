internal import CRDKafka
internal import Delivery

extension StoredRecord {
    /// Copies a librdkafka message.
    init(copying message: UnsafeMutablePointer<rd_kafka_message_t>) {
        var kind = RD_KAFKA_TIMESTAMP_NOT_AVAILABLE
        let timestamp = unsafe rd_kafka_message_timestamp(message, &kind)
        unsafe self.init(
            partition: message.pointee.partition, offset: message.pointee.offset,
            timestamp: timestamp < 0 ? nil : timestamp,
            key: message.pointee.keyBytes.map { unsafe [UInt8]($0) },
            value: message.pointee.valueBytes.map { unsafe [UInt8]($0) },
            headers: [])
        isLogAppendTime = kind == RD_KAFKA_TIMESTAMP_LOG_APPEND_TIME
        var headers: OpaquePointer?
        guard
            unsafe rd_kafka_message_headers(message, &headers) == RD_KAFKA_RESP_ERR_NO_ERROR,
            let headers = unsafe headers
        else { return }
        while let next = unsafe headerAt(self.headers.count, of: headers) {
            let value = unsafe next.value.map { unsafe Array($0) }
            self.headers.append((unsafe HeaderName.text(next.name), value))
        }
    }
}

extension rd_kafka_message_t {
    /// The key, in the library's memory; nil for none.
    var keyBytes: UnsafeRawBufferPointer? {
        unsafe key.map { unsafe UnsafeRawBufferPointer(start: $0, count: key_len) }
    }

    /// The value, in the library's memory; nil for none.
    var valueBytes: UnsafeRawBufferPointer? {
        unsafe payload.map { unsafe UnsafeRawBufferPointer(start: $0, count: len) }
    }
}
