internal import Encoding

/// Converts base64 to hexadecimal digits.
enum HexText {
    /// Appends a string in lower-case digits; false when it is not valid base64.
    ///
    /// Accepts both alphabets of RFC 4648, with or without padding. A string of at least 64
    /// hexadecimal digits, in an even number, is taken as a device token as it is, although it is
    /// also valid base64.
    static func append(_ bytes: [UInt8], _ start: Int, _ end: Int, to out: inout [UInt8]) -> Bool {
        let text = bytes[start..<end]
        if text.count >= 64, text.count % 2 == 0, Hexadecimal.areDigits(text.span) {
            for digit in text { out.append(digit | 0x20) }
            return true
        }
        let isForURLs = text.contains { $0 == UInt8(ascii: "-") || $0 == UInt8(ascii: "_") }
        let alphabet = isForURLs ? Base64.url : Base64.standard
        var sextets = Base64.Sextets()
        for character in withoutPadding(text) {
            guard let value = alphabet.value(of: character) else { return false }
            if let byte = sextets.append(value) { Hexadecimal.append(byte, to: &out) }
        }
        return sextets.isComplete
    }

    private static func withoutPadding(_ text: ArraySlice<UInt8>) -> ArraySlice<UInt8> {
        guard text.count % 4 == 0 else { return text }
        var rest = text
        while text.count - rest.count < 2, rest.last == UInt8(ascii: "=") { rest.removeLast() }
        return rest
    }
}
