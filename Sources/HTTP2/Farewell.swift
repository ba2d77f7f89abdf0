internal import CNGHTTP2

/// Tells the GOAWAY frames that we ask for from those that nghttp2 writes by itself, because
/// the peer broke the protocol.
struct Farewell {
    private var expected = 0
    /// How the peer broke the protocol.
    private(set) var violation: HTTP2Error?
    /// We have said goodbye.
    private(set) var isSaid = false

    /// A GOAWAY of ours will be written.
    mutating func expect() {
        expected += 1
        isSaid = true
    }

    /// A GOAWAY was written.
    mutating func wasWritten(_ frame: nghttp2_goaway) {
        guard expected == 0 else {
            expected -= 1
            return
        }
        let words = unsafe text(frame.opaque_data, count: frame.opaque_data_len)
        let name = unsafe String(cString: nghttp2_http2_strerror(frame.error_code))
        let reason = words.isEmpty ? name : "\(name): \(words)"
        violation = HTTP2Error(.protocolViolation, "the peer violates HTTP/2: \(reason)")
    }

    private func text(_ start: UnsafePointer<UInt8>?, count: Int) -> String {
        unsafe String(
            decoding: UnsafeBufferPointer(start: start, count: count), as: UTF8.self)
    }
}
