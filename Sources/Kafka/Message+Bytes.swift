internal import CRDKafka

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
