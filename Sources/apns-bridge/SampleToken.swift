internal import Encoding
internal import TLS

/// Device tokens that belong to nobody.
enum SampleToken {
    /// 64 hexadecimal digits that begin with a prefix, always the same for a number.
    static func text(_ number: Int, prefix: String) -> String {
        let digits = Hexadecimal.encode(SHA256.hash([UInt8]("device \(number)".utf8)))
        return prefix + String(decoding: digits.dropFirst(prefix.utf8.count), as: UTF8.self)
    }
}
