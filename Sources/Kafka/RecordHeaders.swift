internal import CRDKafka
internal import Delivery
internal import Glibc

/// Lends the bytes of a key or value as the library wants them: nil stays nil, empty does not.
func withBytes<Result>(
    _ bytes: [UInt8]?, _ body: (UnsafeMutableRawPointer?, Int) -> Result
) -> Result {
    guard let bytes else { return body(nil, 0) }
    return unsafe bytes.withUnsafeBytes { buffer in
        let start = unsafe buffer.baseAddress ?? somewhere
        return unsafe body(UnsafeMutableRawPointer(mutating: start), buffer.count)
    }
}

/// An address for empty values, which is never read.
private var somewhere: UnsafeRawPointer {
    unsafe UnsafeRawPointer(bitPattern: 8).unsafelyUnwrapped
}

/// Copies headers into the library's memory.
func makeHeaders(_ headers: [ResultRecord.Header]) -> OpaquePointer? {
    let list = unsafe rd_kafka_headers_new(headers.count)
    for header in headers {
        var name = header.name
        name.withUTF8 { bytes in
            unsafe bytes.withMemoryRebound(to: CChar.self) { characters in
                unsafe withBytes(header.value) { value, size in
                    _ = unsafe rd_kafka_header_add(
                        list, characters.baseAddress, characters.count, value, size)
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
