internal import CNGHTTP2

/// Distinguishes the GOAWAY frames that we request from those that nghttp2 sends by itself, because
/// the peer violated the protocol.
struct GoAwayTracker {
    private var expected = 0
    /// The peer's protocol violation.
    private(set) var violation: HTTP2Error?
    /// A GOAWAY of ours was requested.
    private(set) var isSent = false

    /// A GOAWAY of ours is about to be written.
    mutating func expect() {
        expected += 1
        isSent = true
    }

    /// A GOAWAY was written.
    mutating func wasWritten(_ frame: nghttp2_goaway) {
        guard expected == 0 else {
            expected -= 1
            return
        }
        let message = unsafe text(frame.opaque_data, count: frame.opaque_data_len)
        let name = unsafe String(cString: nghttp2_http2_strerror(frame.error_code))
        let reason = message.isEmpty ? name : "\(name): \(message)"
        violation = HTTP2Error(.protocolViolation, "the peer violates HTTP/2: \(reason)")
    }

    private func text(_ start: UnsafePointer<UInt8>?, count: Int) -> String {
        unsafe String(
            decoding: UnsafeBufferPointer(start: start, count: count), as: UTF8.self)
    }
}
