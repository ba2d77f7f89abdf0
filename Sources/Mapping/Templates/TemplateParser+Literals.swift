internal import Encoding

extension TemplateParser {
    /// Parses a string in double or single quotation marks, with JSON's escapes and `\'`.
    mutating func string() throws(TemplateFault) -> String {
        let start = index
        let mark = characters[index]
        index += 1
        var text = ""
        while let next = peek() {
            if next == mark {
                index += 1
                return text
            }
            if follows("${") {
                throw fault("templates cannot be nested", "write ${a ?? b}")
            }
            if next == "\\" {
                text.unicodeScalars.append(try escape())
            } else {
                text.unicodeScalars.append(next)
                index += 1
            }
        }
        throw TemplateFault(offset: start, message: "the string is not closed")
    }

    private mutating func escape() throws(TemplateFault) -> Unicode.Scalar {
        let start = index
        index += 2
        switch start + 1 < characters.count ? characters[start + 1] : " " {
        case "b": return "\u{8}"
        case "f": return "\u{C}"
        case "n": return "\n"
        case "r": return "\r"
        case "t": return "\t"
        case "u": return try scalar(from: start)
        case let own where own == "\"" || own == "'" || own == "\\" || own == "/": return own
        default:
            throw TemplateFault(
                offset: start, message: "unknown escape sequence",
                remedy: "write \\\\ for a backslash")
        }
    }

    /// Parses the digits after `\u`, with the second half of a surrogate pair if there is one.
    private mutating func scalar(from start: Int) throws(TemplateFault) -> Unicode.Scalar {
        let fault = TemplateFault(
            offset: start,
            message: "\\u must be followed by the four hexadecimal digits of a character")
        guard var value = unit() else { throw fault }
        if value & 0xFC00 == 0xD800, follows("\\u") {
            index += 2
            guard let low = unit(), low & 0xFC00 == 0xDC00 else { throw fault }
            value = 0x10000 + (value & 0x3FF) << 10 + low & 0x3FF
        }
        guard let scalar = Unicode.Scalar(value) else { throw fault }
        return scalar
    }

    private mutating func unit() -> UInt32? {
        guard index + 4 <= characters.count else { return nil }
        let digits = String(String.UnicodeScalarView(characters[index..<index + 4]))
        guard digits.allSatisfy(\.isHexDigit), let value = UInt32(digits, radix: 16) else {
            return nil
        }
        index += 4
        return value
    }

    /// Parses a JSON number and returns it as written.
    mutating func number() throws(TemplateFault) -> String {
        let start = index
        while let next = peek(), isNumberCharacter(next) { index += 1 }
        let token = String(String.UnicodeScalarView(characters[start..<index]))
        guard PlainScalar.isJSONNumber(token) else {
            throw TemplateFault(
                offset: start, message: "'\(token)' is not a JSON number",
                remedy: "quote it: \"\(token)\"")
        }
        return token
    }

    private func isNumberCharacter(_ scalar: Unicode.Scalar) -> Bool {
        scalar.isDigit || isStart(scalar) || scalar == "." || scalar == "+" || scalar == "-"
    }

    /// Parses a transform with its arguments.
    mutating func transform() throws(TemplateFault) -> Template.Transform {
        let start = index
        guard let first = peek(), isStart(first) else {
            throw fault("expected a transform after '|'", "write ${a | upper}")
        }
        var transform = Template.Transform(name: name(), arguments: [], offset: start)
        guard follows("(") else { return transform }
        index += 1
        skipSpace()
        while !follows(")") {
            transform.arguments.append(try argument())
            skipSpace()
            if follows(",") {
                index += 1
                skipSpace()
                if follows(")") { throw fault("missing value after ','") }
            } else if !follows(")") {
                throw fault("'(' is not closed", "write ')' after the last value")
            }
        }
        index += 1
        return transform
    }

    /// Parses a value with its `??`s, or a pair of `map`.
    private mutating func argument() throws(TemplateFault) -> Template.Argument {
        let start = index
        let first = try operand()
        skipSpace()
        guard follows("=") else {
            return Template.Argument(operands: try chain(after: first), offset: start)
        }
        index += 1
        skipSpace()
        return Template.Argument(key: first, operands: [try operand()], offset: start)
    }
}
