internal import Delivery
internal import Encoding

/// Validates the fields of a notification, for the compiler and for each record.
enum FieldCheck {
    /// The most bytes of a collapse ID.
    static let collapseIDLimit = 64

    /// What is wrong with a collapse ID.
    static func collapseID(_ bytes: [UInt8]) -> MappingFault.Reason? {
        guard !bytes.isEmpty, bytes.count <= collapseIDLimit else { return .collapseIDLength }
        for byte in bytes where byte < 0x20 || byte > 0x7E { return .collapseIDCharacter }
        return nil
    }

    /// What is wrong with a device token in either case.
    static func fault(token bytes: [UInt8]) -> MappingFault.Reason? {
        guard Hexadecimal.areDigits(bytes.span) else {
            return isInBase64(bytes) ? .destination(.tokenInBase64) : .token
        }
        if bytes.isEmpty { return .emptyToken }
        return bytes.count % 2 != 0 ? .oddToken : nil
    }

    /// True for the 32 bytes of a device token as device management servers have them.
    private static func isInBase64(_ bytes: [UInt8]) -> Bool {
        bytes.count == 44 && bytes.last == UInt8(ascii: "=") && Base64.standard.isText(bytes)
    }

    /// The most bytes of a channel ID: Apple gives them no fixed size.
    static let channelIDLimit = 1024

    /// What is wrong with the ID of a broadcast channel: Base64, which may lack its padding.
    static func fault(channelID bytes: [UInt8]) -> MappingFault.Reason? {
        guard (1...channelIDLimit).contains(bytes.count) else {
            return .destination(.channelIDLength)
        }
        return Base64.standard.isText(bytes) ? nil : .destination(.channelID)
    }

    /// Converts a device token to lower case, or returns what is wrong with it.
    static func normalize(token bytes: inout [UInt8]) -> MappingFault.Reason? {
        if let fault = fault(token: bytes) { return fault }
        var digits = bytes.mutableSpan
        // Letters of both cases have bit 6 set, digits do not.
        for index in digits.indices { digits[index] |= (digits[index] & 0x40) >> 1 }
        return nil
    }
}
