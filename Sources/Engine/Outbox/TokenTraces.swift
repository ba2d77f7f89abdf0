internal import Delivery
internal import Encoding
internal import JSON

/// Finds a device token in keys and headers, in the forms in which events write tokens:
/// hexadecimal digits in either case, Base64 with either alphabet, and bytes.
struct TokenTraces {
    private let bytes: [UInt8]
    private let digits: [UInt8]
    private let base64: [UInt8]

    /// Nil without a token: nothing is known about what could contain it.
    init?(_ token: [UInt8]) {
        guard !token.isEmpty else { return nil }
        digits = token
        bytes = Self.bytes(ofDigits: token)
        base64 = Base64.url.encode(bytes)
    }

    /// True when a text contains the token.
    func areIn(_ text: [UInt8]) -> Bool {
        let lowered = text.map { (0x41...0x5A).contains($0) ? $0 | 0x20 : $0 }
        if lowered.contains(digits) || text.contains(bytes) { return true }
        let alphabet = text.map { byte in
            switch byte {
            case UInt8(ascii: "+"): UInt8(ascii: "-")
            case UInt8(ascii: "/"): UInt8(ascii: "_")
            default: byte
            }
        }
        return alphabet.contains(base64)
    }

    private static func bytes(ofDigits digits: [UInt8]) -> [UInt8] {
        stride(from: 0, to: digits.count - 1, by: 2).map { index in
            let high = Hexadecimal.value(of: digits[index]) ?? 0
            let low = Hexadecimal.value(of: digits[index + 1]) ?? 0
            return high << 4 | low
        }
    }
}

extension RecordCopy {
    /// The device token of a push, for finding it elsewhere; nil without one.
    func tokenTraces(of push: Push) -> TokenTraces? {
        guard !push.isBroadcast else { return nil }
        var token: [UInt8] = []
        withDestination(push.content) { token.replace(with: $0) }
        return TokenTraces(token)
    }

    /// True when the record's key contains the device token of a push, or might: without a token
    /// there is nothing to look for, and beside a broadcast the record may have pushes to devices.
    func keyContainsToken(of push: Push) -> Bool {
        guard hasKey else { return false }
        guard !push.isBroadcast else { return true }
        // The shortest form of a token is its bytes.
        let count = withKey { $0.byteCount }
        let tokenCount = push.content.destinationCount
        guard tokenCount == 0 || count >= tokenCount / 2 else {
            return false
        }
        guard let traces = tokenTraces(of: push) else { return true }
        var key: [UInt8] = []
        withKey { key.replace(with: $0) }
        return traces.areIn(key)
    }
}
