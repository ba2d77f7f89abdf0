/// The names of HTTP/2's error codes (RFC 9113, section 7).
enum HTTP2Code {
    /// In numerical order, from 0.
    static let names = [
        "NO_ERROR", "PROTOCOL_ERROR", "INTERNAL_ERROR", "FLOW_CONTROL_ERROR", "SETTINGS_TIMEOUT",
        "STREAM_CLOSED", "FRAME_SIZE_ERROR", "REFUSED_STREAM", "CANCEL", "COMPRESSION_ERROR",
        "CONNECT_ERROR", "ENHANCE_YOUR_CALM", "INADEQUATE_SECURITY", "HTTP_1_1_REQUIRED",
    ]

    static func number(of name: String) -> UInt32? {
        names.firstIndex(of: name).map { UInt32($0) }
    }

    static func name(of number: UInt32) -> String {
        names.indices.contains(Int(number)) ? names[Int(number)] : "code \(number)"
    }
}
