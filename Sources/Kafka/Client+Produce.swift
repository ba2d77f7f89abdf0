internal import CRDKafka

/// A key or a value in the form the library expects: a null address for none.
@safe struct BorrowedBytes {
    let start: UnsafeMutableRawPointer?
    let count: Int

    /// Wraps bytes that must not move while this is in use; nil for none.
    init(_ bytes: UnsafeRawBufferPointer?) {
        // An empty value needs an address, which is never read.
        unsafe start = bytes.map {
            unsafe UnsafeMutableRawPointer(mutating: $0.baseAddress ?? somewhere)
        }
        unsafe count = bytes?.count ?? 0
    }
}

/// A record on its way into the library, which copies it.
@safe struct OutgoingRecord {
    let topic: OpaquePointer
    var partition: Int32?
    let key: BorrowedBytes
    let value: BorrowedBytes
    /// Headers in the library's memory, which takes ownership when it accepts the record.
    var headers: OpaquePointer?
    var timestamp: Int64?
    /// Returned with the delivery report.
    let opaque: UnsafeMutableRawPointer?
}

extension Client {
    /// Hands over a record; returns why it was not accepted.
    func produce(_ record: OutgoingRecord) -> rd_kafka_resp_err_t {
        guard unsafe record.headers == nil, record.timestamp == nil else {
            return produceWhole(record)
        }
        let result = unsafe rd_kafka_produce(
            record.topic, record.partition ?? RD_KAFKA_PARTITION_UA, RD_KAFKA_MSG_F_COPY,
            record.value.start, record.value.count, record.key.start, record.key.count,
            record.opaque)
        return result == 0 ? RD_KAFKA_RESP_ERR_NO_ERROR : rd_kafka_last_error()
    }

    /// The same for a record with headers or its own timestamp.
    private func produceWhole(_ record: OutgoingRecord) -> rd_kafka_resp_err_t {
        let count = unsafe record.headers == nil ? 7 : 8
        let error = unsafe withUnsafeTemporaryAllocation(of: rd_kafka_vu_t.self, capacity: 8) {
            fields in
            unsafe fields.initialize(repeating: rd_kafka_vu_t())
            unsafe fields[0].vtype = RD_KAFKA_VTYPE_RKT
            unsafe fields[0].u.rkt = record.topic
            unsafe fields[1].vtype = RD_KAFKA_VTYPE_MSGFLAGS
            unsafe fields[1].u.i = RD_KAFKA_MSG_F_COPY
            unsafe fields[2].vtype = RD_KAFKA_VTYPE_PARTITION
            unsafe fields[2].u.i32 = record.partition ?? RD_KAFKA_PARTITION_UA
            unsafe fields[3].vtype = RD_KAFKA_VTYPE_TIMESTAMP
            unsafe fields[3].u.i64 = record.timestamp ?? 0
            unsafe fields[4].vtype = RD_KAFKA_VTYPE_KEY
            unsafe fields[4].u.mem = .init(ptr: record.key.start, size: record.key.count)
            unsafe fields[5].vtype = RD_KAFKA_VTYPE_VALUE
            unsafe fields[5].u.mem = .init(ptr: record.value.start, size: record.value.count)
            unsafe fields[6].vtype = RD_KAFKA_VTYPE_OPAQUE
            unsafe fields[6].u.ptr = record.opaque
            unsafe fields[7].vtype = RD_KAFKA_VTYPE_HEADERS
            unsafe fields[7].u.headers = record.headers
            return unsafe rd_kafka_produceva(pointer, fields.baseAddress, count)
        }
        guard let error = unsafe error else { return RD_KAFKA_RESP_ERR_NO_ERROR }
        defer { unsafe rd_kafka_error_destroy(error) }
        return unsafe rd_kafka_error_code(error)
    }
}

/// An address for empty values, which is never read.
private var somewhere: UnsafeRawPointer {
    unsafe UnsafeRawPointer(bitPattern: 8).unsafelyUnwrapped
}

/// Calls `body` with the bytes of a key or value.
func withBorrowedBytes<Result>(_ bytes: [UInt8]?, _ body: (BorrowedBytes) -> Result) -> Result {
    guard let bytes else { return body(unsafe BorrowedBytes(nil)) }
    return unsafe bytes.withUnsafeBytes { body(unsafe BorrowedBytes($0)) }
}
