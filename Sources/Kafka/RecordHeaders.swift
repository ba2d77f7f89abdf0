internal import CRDKafka
internal import Delivery
internal import Glibc

/// Copies headers into the library's memory; nil for none.
func makeHeaders(_ headers: [ResultRecord.Header]) -> OpaquePointer? {
    guard !headers.isEmpty else { return nil }
    let list = unsafe rd_kafka_headers_new(headers.count)
    for header in headers {
        unsafe HeaderName.bytes(header.name).withUnsafeBytes { bytes in
            unsafe bytes.withMemoryRebound(to: CChar.self) { characters in
                withBorrowedBytes(header.value) { value in
                    _ = unsafe rd_kafka_header_add(
                        list, characters.baseAddress, characters.count, value.start, value.count)
                }
            }
        }
    }
    return unsafe list
}

/// The header at an index of a list, still in the library's memory.
func headerAt(_ index: Int, of headers: OpaquePointer) -> RecordHeader? {
    var name: UnsafePointer<CChar>?
    var value: UnsafeRawPointer?
    var size = 0
    guard
        unsafe rd_kafka_header_get_all(headers, index, &name, &value, &size)
            == RD_KAFKA_RESP_ERR_NO_ERROR,
        let name = unsafe name
    else { return nil }
    return unsafe RecordHeader(
        name: UnsafeRawBufferPointer(start: name, count: strlen(name)),
        value: value.map { unsafe UnsafeRawBufferPointer(start: $0, count: size) })
}
