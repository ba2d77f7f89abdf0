/// Text as URLs and forms carry it.
public enum PercentEncoding {
    private static let digits = Array("0123456789ABCDEF".utf8)

    /// Text as one part of a URL's path (RFC 3986).
    public static func pathSegment(_ text: String) -> String { encode(text, keeping: "-._~") }

    /// A name or a value in a form, as HTML encodes it.
    public static func formField(_ text: String) -> String {
        String(encode(text, keeping: "*-._ ").map { $0 == " " ? "+" : $0 })
    }

    private static func encode(_ text: String, keeping kept: String) -> String {
        var encoded: [UInt8] = []
        for byte in text.utf8 {
            switch byte {
            case 48...57, 65...90, 97...122: encoded.append(byte)
            case _ where kept.utf8.contains(byte): encoded.append(byte)
            default:
                encoded += [UInt8(ascii: "%"), digits[Int(byte >> 4)], digits[Int(byte & 15)]]
            }
        }
        return String(decoding: encoded, as: UTF8.self)
    }
}
