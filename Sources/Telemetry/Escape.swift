/// Makes external text safe for output on one line.
enum Escape {
    /// A JSON string with its quotes.
    static func json(_ text: String) -> String { "\"\(escaped(text, quotes: true))\"" }

    /// A string as one word of a text line: quoted if necessary.
    static func word(_ text: String) -> String {
        let isPlain = text.unicodeScalars.allSatisfy {
            $0 != " " && $0 != "\"" && $0 != "=" && $0 != "\\" && !isControl($0)
        }
        return isPlain && !text.isEmpty ? text : json(text)
    }

    /// A string with all control characters escaped.
    static func controls(_ text: String) -> String { escaped(text, quotes: false) }

    private static func escaped(_ text: String, quotes: Bool) -> String {
        var result = ""
        for scalar in text.unicodeScalars {
            switch scalar {
            case "\n": result += "\\n"
            case "\r": result += "\\r"
            case "\t": result += "\\t"
            case "\"" where quotes: result += "\\\""
            case "\\" where quotes: result += "\\\\"
            case _ where isControl(scalar): result += "\\u" + hexadecimal(scalar.value)
            default: result.unicodeScalars.append(scalar)
            }
        }
        return result
    }

    /// Control characters, and the line breaks and directional marks that a terminal acts on.
    private static func isControl(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar.value {
        case 0..<0x20, 0x7F..<0xA0, 0x2028...0x202E, 0x2066...0x2069: true
        default: false
        }
    }

    private static func hexadecimal(_ value: UInt32) -> String {
        let digits = String(value, radix: 16)
        return String(repeating: "0", count: max(0, 4 - digits.count)) + digits
    }
}
