internal import COpenSSL

/// An owned OpenSSL memory buffer.
@safe
struct MemoryBIO: ~Copyable {
    let pointer: OpaquePointer

    init() throws(TLSError) {
        OpenSSLErrors.clear()
        guard let bio = unsafe BIO_new(BIO_s_mem()) else {
            throw .fromOpenSSL(.library, "no memory for a buffer")
        }
        unsafe pointer = bio
    }

    /// Stores a copy of bytes, which is wiped when the buffer is freed.
    init(_ bytes: [UInt8]) throws(TLSError) {
        guard bytes.count <= 1 << 20 else {
            throw TLSError(.library, "\(bytes.count) bytes of PEM exceed 1 MiB")
        }
        try self.init()
        if !bytes.isEmpty { _ = unsafe BIO_write(pointer, bytes, Int32(bytes.count)) }
    }

    deinit { _ = unsafe BIO_free(pointer) }

    /// A copy of the content.
    var bytes: [UInt8] {
        var start: UnsafePointer<UInt8>?
        let count = unsafe apns_bio_data(pointer, &start)
        return unsafe Array(UnsafeBufferPointer(start: start, count: count))
    }

    /// The content as a string.
    var text: String { String(decoding: bytes, as: UTF8.self) }
}
