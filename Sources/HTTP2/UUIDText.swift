extension UnsafeBufferPointer<UInt8> {
    /// The number of a UUID in its canonical form, upper or lower case; nil for anything else.
    var uuid: UInt128? {
        guard count == 36 else { return nil }
        var high: UInt64 = 0
        var low: UInt64 = 0
        for index in 0..<36 {
            let byte = unsafe self[index]
            if index == 8 || index == 13 || index == 18 || index == 23 {
                guard byte == UInt8(ascii: "-") else { return nil }
                continue
            }
            guard let digit = unsafe Self.digit(byte) else { return nil }
            if index < 18 { high = high << 4 | digit } else { low = low << 4 | digit }
        }
        return UInt128(high) << 64 | UInt128(low)
    }

    private static func digit(_ byte: UInt8) -> UInt64? {
        switch byte {
        case UInt8(ascii: "0")...UInt8(ascii: "9"): UInt64(byte - UInt8(ascii: "0"))
        case UInt8(ascii: "a")...UInt8(ascii: "f"): UInt64(byte - UInt8(ascii: "a") + 10)
        case UInt8(ascii: "A")...UInt8(ascii: "F"): UInt64(byte - UInt8(ascii: "A") + 10)
        default: nil
        }
    }
}
