/// Text for terminals and CI logs: what files and events contain must not control them.
public enum SafeText {
    /// A text of one line, in which line breaks are escaped, too.
    public static func line(_ text: String) -> String { escaped(text) { isControl($0) } }

    /// A text of several lines.
    public static func lines(_ text: String) -> String {
        let escaped = escaped(text) { isControl($0) && $0 != "\n" && $0 != "\t" }
        guard escaped.contains("::") || escaped.contains("##[") else { return escaped }
        return escaped.split(separator: "\n", omittingEmptySubsequences: false)
            .map { withoutCommand($0) }.joined(separator: "\n")
    }

    /// A text of several lines with colours, which are the only sequences that stay.
    public static func colouredLines(_ text: String) -> String {
        var result = ""
        var rest = text[...]
        while let start = rest.firstIndex(of: "\u{1B}") {
            result += lines(String(rest[..<start]))
            let sequence = rest[start...].prefix { $0 != "m" }
            let isColour =
                sequence.dropFirst().first == "["
                && sequence.dropFirst(2).allSatisfy { $0.isASCII && ($0.isNumber || $0 == ";") }
                && sequence.endIndex < rest.endIndex
            if isColour {
                result += sequence + "m"
                rest = rest[rest.index(after: sequence.endIndex)...]
            } else {
                result += "\\u001b"
                rest = rest[rest.index(after: start)...]
            }
        }
        return result + lines(String(rest))
    }

    /// JSON in which such characters are escaped: it may contain those above U+007E as they are.
    public static func json(_ bytes: [UInt8]) -> [UInt8] {
        guard bytes.indices.contains(where: { control(at: $0, in: bytes) != nil }) else {
            return bytes
        }
        var result: [UInt8] = []
        result.reserveCapacity(bytes.count + 64)
        var index = 0
        while index < bytes.count {
            guard let scalar = control(at: index, in: bytes) else {
                result.append(bytes[index])
                index += 1
                continue
            }
            result.append(contentsOf: escape(scalar).utf8)
            index += UTF8.width(scalar)
        }
        return result
    }

    /// The character above U+007E at an index, if it is one of those.
    private static func control(at index: Int, in bytes: [UInt8]) -> Unicode.Scalar? {
        let value: UInt32
        switch bytes[index] {
        case 0x7F: value = 0x7F
        case 0xC2, 0xD8:
            guard index + 1 < bytes.count else { return nil }
            value = UInt32(bytes[index] & 0x1F) << 6 | UInt32(bytes[index + 1] & 0x3F)
        case 0xE2:
            guard index + 2 < bytes.count else { return nil }
            value = 0x2000 | UInt32(bytes[index + 1] & 0x3F) << 6 | UInt32(bytes[index + 2] & 0x3F)
        default: return nil
        }
        return Unicode.Scalar(value).flatMap { isControl($0) ? $0 : nil }
    }

    private static func escape(_ scalar: Unicode.Scalar) -> String {
        let digits = String(scalar.value, radix: 16)
        return "\\u" + String(repeating: "0", count: max(0, 4 - digits.count)) + digits
    }

    /// GitHub and Azure take lines that begin so for commands, after white space, too.
    private static func withoutCommand(_ line: Substring) -> String {
        let text = line.drop { $0 == " " || $0 == "\t" }
        guard text.hasPrefix("::") || text.hasPrefix("##[") else { return String(line) }
        let first = text.first == ":" ? "\\u003a" : "\\u0023"
        return String(line[..<text.startIndex]) + first + text.dropFirst()
    }

    private static func escaped(
        _ text: String, _ isUnsafe: (Unicode.Scalar) -> Bool
    ) -> String {
        guard text.unicodeScalars.contains(where: isUnsafe) else { return text }
        var result = String.UnicodeScalarView()
        for scalar in text.unicodeScalars {
            guard isUnsafe(scalar) else {
                result.append(scalar)
                continue
            }
            switch scalar {
            case "\n": result.append(contentsOf: "\\n".unicodeScalars)
            case "\r": result.append(contentsOf: "\\r".unicodeScalars)
            case "\t": result.append(contentsOf: "\\t".unicodeScalars)
            default: result.append(contentsOf: escape(scalar).unicodeScalars)
            }
        }
        return String(result)
    }

    /// Control characters, and the marks that change the direction or the lines of a text.
    private static func isControl(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar.value {
        case 0..<0x20, 0x7F..<0xA0, 0x061C, 0x200E...0x200F, 0x2028...0x202E, 0x2066...0x2069: true
        default: false
        }
    }
}
