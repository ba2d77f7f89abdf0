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
            default:
                let digits = String(scalar.value, radix: 16)
                let zeros = String(repeating: "0", count: max(0, 4 - digits.count))
                result.append(contentsOf: "\\u\(zeros)\(digits)".unicodeScalars)
            }
        }
        return String(result)
    }

    /// Control characters, and the marks that change the direction or the lines of a text.
    private static func isControl(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar.value {
        case 0..<0x20, 0x7F..<0xA0, 0x200E...0x200F, 0x2028...0x202E, 0x2066...0x2069: true
        default: false
        }
    }
}
