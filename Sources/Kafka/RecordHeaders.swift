internal import CRDKafka
internal import Delivery

/// Lends the bytes of a key or value as the library wants them: nil stays nil, empty does not.
func withBytes<Result>(
    _ bytes: [UInt8]?, _ body: (UnsafeMutableRawPointer?, Int) -> Result
) -> Result {
    guard let bytes else { return body(nil, 0) }
    return unsafe bytes.withUnsafeBytes { buffer in
        unsafe body(UnsafeMutableRawPointer(mutating: buffer.baseAddress ?? somewhere), buffer.count)
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

extension [SourceFailure] {
    /// Remembers a failure, unless it was just said or nobody listens.
    mutating func note(_ failure: SourceFailure) {
        guard last != failure else { return }
        if count == 64 { removeFirst() }
        append(failure)
    }
}
