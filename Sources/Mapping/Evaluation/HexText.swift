internal import Encoding

/// Turns base64 into hexadecimal digits.
enum HexText {
    /// Appends the lower-case digits of a text; false when it is not valid base64.
    ///
    /// Both alphabets of RFC 4648 are taken, with padding or without. A text of 64 hexadecimal
    /// digits or more, and an even number of them, is a device token as it is, though it would be
    /// base64 as well.
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
