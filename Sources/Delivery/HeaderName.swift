/// The names of record headers as strings.
///
/// Kafka's names are UTF-8, but nobody checks that. A byte that is not part of valid UTF-8 becomes
/// a code point of its own, and a code point of that range is written byte by byte, so that every
/// name becomes a string and the same bytes again.
public enum HeaderName {
    /// The last 256 code points, which are for private use.
    private static let first: UInt32 = 0x10FF00

    /// The string for the bytes of a name.
    public static func text(_ bytes: some Sequence<UInt8>) -> String {
        let rest = Array(bytes)
        var parser = Unicode.UTF8.ForwardParser()
        var iterator = rest.makeIterator()
        var text = String.UnicodeScalarView()
        var index = 0
        while index < rest.count {
            switch parser.parseScalar(from: &iterator) {
            case .emptyInput: return String(text)
            case .valid(let encoded):
                let scalar = Unicode.UTF8.decode(encoded)
                let end = index + encoded.count
                if scalar.value >= first {
                    for byte in rest[index..<end] { append(byte, to: &text) }
                } else {
                    text.append(scalar)
                }
                index = end
            case .error(let length):
                for byte in rest[index..<index + length] { append(byte, to: &text) }
                index += length
            }
        }
        return String(text)
    }

    /// The bytes of a name.
    public static func bytes(_ text: String) -> [UInt8] {
        var bytes: [UInt8] = []
        for scalar in text.unicodeScalars {
            if scalar.value >= first {
                bytes.append(UInt8(scalar.value - first))
            } else {
                bytes.append(contentsOf: String(scalar).utf8)
            }
        }
        return bytes
    }

    private static func append(_ byte: UInt8, to text: inout String.UnicodeScalarView) {
        guard let scalar = Unicode.Scalar(first + UInt32(byte)) else { return }
        text.append(scalar)
    }
}
