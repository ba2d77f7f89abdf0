/// The subset of DER (X.690) that our certificate extensions need.
enum DER {
    static let utf8String: UInt8 = 0x0C
    static let sequence: UInt8 = 0x30
    /// A complete NULL.
    static let null: [UInt8] = [0x05, 0x00]

    /// Writes one value.
    static func value(_ tag: UInt8, _ content: [UInt8]) -> [UInt8] {
        guard content.count >= 0x80 else { return [tag, UInt8(content.count)] + content }
        var digits: [UInt8] = []
        var rest = content.count
        while rest > 0 {
            digits.insert(UInt8(truncatingIfNeeded: rest), at: 0)
            rest >>= 8
        }
        return [tag, 0x80 | UInt8(digits.count)] + digits + content
    }

    /// Writes a string.
    static func text(_ text: String) -> [UInt8] { value(utf8String, [UInt8](text.utf8)) }

    /// Removes and returns the first value; nil when there is none, or when it is invalid.
    static func next(_ bytes: inout ArraySlice<UInt8>) -> (tag: UInt8, content: ArraySlice<UInt8>)?
    {
        var rest = bytes
        guard let tag = rest.popFirst(), var length = rest.popFirst().map({ Int($0) }) else {
            return nil
        }
        if length >= 0x80 {
            let digits = rest.prefix(length - 0x80)
            guard (1...4).contains(length - 0x80), digits.count == length - 0x80 else { return nil }
            rest = rest.dropFirst(digits.count)
            length = digits.reduce(0) { $0 << 8 | Int($1) }
        }
        guard rest.count >= length else { return nil }
        bytes = rest.dropFirst(length)
        return (tag, rest.prefix(length))
    }
}
