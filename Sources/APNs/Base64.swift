internal import TLS

/// Base64 with its usual alphabet and padding (RFC 4648, 4).
enum Base64 {
    static func encode(_ bytes: [UInt8]) -> String {
        var text = Base64URL.encode(bytes).map { byte in
            switch byte {
            case UInt8(ascii: "-"): UInt8(ascii: "+")
            case UInt8(ascii: "_"): UInt8(ascii: "/")
            default: byte
            }
        }
        while text.count % 4 != 0 { text.append(UInt8(ascii: "=")) }
        return String(decoding: text, as: UTF8.self)
    }
}
