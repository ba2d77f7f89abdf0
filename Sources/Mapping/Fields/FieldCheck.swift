internal import Delivery

/// What the fields of a notification may be, for the compiler and for each record.
enum FieldCheck {
    /// What is wrong with a collapse ID.
    static func collapseID(_ bytes: [UInt8]) -> MappingFault.Reason? {
        guard !bytes.isEmpty, bytes.count <= 64 else { return .collapseIDLength }
        for byte in bytes where byte < 0x20 || byte > 0x7E { return .collapseIDCharacter }
        return nil
    }

    /// What is wrong with a device token in lower or upper case.
    static func fault(token bytes: [UInt8]) -> MappingFault.Reason? {
        // No way out of the loop, so that many digits are looked at together.
        var others: UInt8 = 0
        for byte in bytes { others |= 1 &- hexDigit(byte) }
        guard others == 0 else { return .token }
        return bytes.isEmpty || bytes.count % 2 != 0 ? .oddToken : nil
    }

    /// Makes a device token lower-case, or says what is wrong with it.
    static func normalize(token bytes: inout [UInt8]) -> MappingFault.Reason? {
        if let fault = fault(token: bytes) { return fault }
        var digits = bytes.mutableSpan
        // Letters of both cases have bit 6, digits have not.
        for index in digits.indices { digits[index] |= (digits[index] & 0x40) >> 1 }
        return nil
    }

    static func isHexDigit(_ byte: UInt8) -> Bool { hexDigit(byte) == 1 }

    /// 1 for a hexadecimal digit, 0 for anything else.
    @inline(__always)
    private static func hexDigit(_ byte: UInt8) -> UInt8 {
        let isDigit: UInt8 = byte &- UInt8(ascii: "0") < 10 ? 1 : 0
        let isLetter: UInt8 = (byte | 0x20) &- UInt8(ascii: "a") < 6 ? 1 : 0
        return isDigit | isLetter
    }
}
