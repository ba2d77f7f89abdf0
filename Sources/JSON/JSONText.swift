/// Decodes the content of JSON strings that were validated before.
enum JSONText {
    /// The value of four hexadecimal digits; nil for other characters.
    static func unit(at offset: Int, of base: UnsafeRawPointer) -> UInt16? {
        var unit: UInt16 = 0
        for position in offset..<offset + 4 {
            let byte = unsafe base.load(fromByteOffset: position, as: UInt8.self)
            let digit: UInt8
            switch byte {
            case UInt8(ascii: "0")...UInt8(ascii: "9"): digit = byte - UInt8(ascii: "0")
            case UInt8(ascii: "a")...UInt8(ascii: "f"): digit = byte - UInt8(ascii: "a") + 10
            case UInt8(ascii: "A")...UInt8(ascii: "F"): digit = byte - UInt8(ascii: "A") + 10
            default: return nil
            }
            unit = unit << 4 | UInt16(digit)
        }
        return unit
    }

    /// Passes on the UTF-8 of a validated string piece by piece, unescaped.
    static func decode(
        _ bytes: UnsafeRawBufferPointer, _ body: (UnsafeRawBufferPointer) -> Void
    ) {
        var start = 0
        var index = 0
        while index < bytes.count {
            guard unsafe bytes[index] == UInt8(ascii: "\\") else {
                index += 1
                continue
            }
            if start < index { unsafe body(.init(rebasing: bytes[start..<index])) }
            index = unsafe decodeEscape(bytes, at: index, body)
            start = index
        }
        if start < index { unsafe body(.init(rebasing: bytes[start..<index])) }
    }

    /// Where a validated string can be cut so that about `limit` bytes of it remain: not within a
    /// character.
    static func end(
        of bytes: UnsafeRawBufferPointer, atMost limit: Int, hasEscapes: Bool
    ) -> Int {
        guard limit < bytes.count else { return bytes.count }
        var index = 0
        guard hasEscapes else {
            index = limit
            while index > 0, unsafe bytes[index] & 0xC0 == 0x80 { index -= 1 }
            return index
        }
        while index < limit { index += unsafe length(of: bytes, at: index) }
        return min(index, bytes.count)
    }

    /// The length of the character, or of the escape, at an index.
    private static func length(of bytes: UnsafeRawBufferPointer, at index: Int) -> Int {
        let byte = unsafe bytes[index]
        guard byte == UInt8(ascii: "\\") else {
            return byte < 0x80 ? 1 : byte < 0xE0 ? 2 : byte < 0xF0 ? 3 : 4
        }
        guard index + 1 < bytes.count, unsafe bytes[index + 1] == UInt8(ascii: "u") else {
            return 2
        }
        return unsafe lowSurrogate(after: unit(at: index + 2, in: bytes), index, bytes) == nil
            ? 6 : 12
    }

    /// Decodes the escape at `index` and returns the index after it.
    private static func decodeEscape(
        _ bytes: UnsafeRawBufferPointer, at index: Int, _ body: (UnsafeRawBufferPointer) -> Void
    ) -> Int {
        guard index + 1 < bytes.count else { return bytes.count }
        var scalar: UInt32
        var length = 2
        switch unsafe bytes[index + 1] {
        case UInt8(ascii: "b"): scalar = 0x08
        case UInt8(ascii: "f"): scalar = 0x0C
        case UInt8(ascii: "n"): scalar = 0x0A
        case UInt8(ascii: "r"): scalar = 0x0D
        case UInt8(ascii: "t"): scalar = 0x09
        case UInt8(ascii: "u"):
            scalar = unsafe unit(at: index + 2, in: bytes)
            length = 6
            if let low = unsafe lowSurrogate(after: scalar, index, bytes) {
                scalar = 0x10000 + (scalar & 0x3FF) << 10 + low & 0x3FF
                length = 12
            } else if scalar & 0xF800 == 0xD800 {
                scalar = 0xFFFD
            }
        case let byte: scalar = UInt32(byte)
        }
        unsafe encode(scalar, body)
        return min(index + length, bytes.count)
    }

    /// The second half of a pair whose first half is the escape at an index; nil for anything else.
    private static func lowSurrogate(
        after high: UInt32, _ index: Int, _ bytes: UnsafeRawBufferPointer
    ) -> UInt32? {
        guard high & 0xFC00 == 0xD800, index + 12 <= bytes.count,
            unsafe bytes[index + 6] == UInt8(ascii: "\\"),
            unsafe bytes[index + 7] == UInt8(ascii: "u")
        else { return nil }
        let low = unsafe unit(at: index + 8, in: bytes)
        return low & 0xFC00 == 0xDC00 ? low : nil
    }

    private static func unit(at index: Int, in bytes: UnsafeRawBufferPointer) -> UInt32 {
        guard index + 4 <= bytes.count, let base = bytes.baseAddress else { return 0xFFFD }
        return unsafe UInt32(unit(at: index, of: base) ?? 0xFFFD)
    }

    private static func encode(_ scalar: UInt32, _ body: (UnsafeRawBufferPointer) -> Void) {
        var bytes: UInt32
        let count: Int
        switch scalar {
        case ..<0x80: (bytes, count) = (scalar, 1)
        case ..<0x800:
            (bytes, count) = (0x80C0 | scalar >> 6 | (scalar & 0x3F) << 8, 2)
        case ..<0x10000:
            bytes = 0x8080E0 | scalar >> 12 | (scalar >> 6 & 0x3F) << 8 | (scalar & 0x3F) << 16
            count = 3
        default:
            bytes = 0x8080_80F0 | scalar >> 18 | (scalar >> 12 & 0x3F) << 8
            bytes |= (scalar >> 6 & 0x3F) << 16 | (scalar & 0x3F) << 24
            count = 4
        }
        bytes = bytes.littleEndian
        unsafe withUnsafeBytes(of: &bytes) { unsafe body(.init(rebasing: $0[..<count])) }
    }
}
