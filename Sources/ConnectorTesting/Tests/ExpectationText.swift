internal import Mapping

/// Writes an expectation as YAML for a test file: whatever fits on one line stays on one.
struct ExpectationText {
    private static let width = 100

    /// The lines of `expect:`; all but the first are indented by at least `indent` spaces.
    static func lines(_ expectation: TestValue, indent: Int) -> [String] {
        var lines = ["expect:"]
        for member in expectation.members ?? [] {
            // Requests are long: each member has its own line.
            let depth = member.name == "requests" ? 2 : 1
            lines += block(member, indent: indent + 2, openLevels: depth, path: [])
        }
        return lines
    }

    /// The expectation in braces, for a test that is itself in braces.
    static func flow(_ expectation: TestValue) -> String { flow(expectation, path: []) }

    private static func block(
        _ member: TestValue.Member, indent: Int, openLevels: Int, path: [String]
    ) -> [String] {
        let space = String(repeating: " ", count: indent)
        let path = path + [member.name]
        let line = space + member.name.yamlKey + ": " + flow(member.value, path: path)
        if !member.value.isNested || (openLevels == 0 && line.count <= width) { return [line] }
        return [space + member.name.yamlKey + ":"]
            + inner(member.value, indent: indent + 2, openLevels: openLevels, path: path)
    }

    private static func inner(
        _ value: TestValue, indent: Int, openLevels: Int, path: [String]
    ) -> [String] {
        let levels = max(0, openLevels - 1)
        switch value.kind {
        case .map(let members):
            return members.flatMap {
                block($0, indent: indent, openLevels: levels, path: path)
            }
        case .list(let elements):
            return elements.flatMap { element in
                Self.element(element, indent: indent, openLevels: levels, path: path)
            }
        default: return []
        }
    }

    private static func element(
        _ value: TestValue, indent: Int, openLevels: Int, path: [String]
    ) -> [String] {
        let space = String(repeating: " ", count: indent)
        let line = space + "- " + flow(value, path: path)
        if !value.isNested || (openLevels == 0 && line.count <= width) { return [line] }
        var lines = inner(value, indent: indent + 2, openLevels: openLevels, path: path)
        guard !lines.isEmpty else { return [line] }
        lines[0] = space + "- " + lines[0].dropFirst(indent + 2)
        return lines
    }

    private static func flow(_ value: TestValue, path: [String]) -> String {
        switch value.kind {
        case .list(let elements):
            return "[" + elements.map { flow($0, path: path) }.joined(separator: ", ") + "]"
        case .map(let members):
            let texts = members.map { member in
                member.name.yamlKey + ": " + flow(member.value, path: path + [member.name])
            }
            return "{" + texts.joined(separator: ", ") + "}"
        case .text(let text):
            // A device token or a header is always a string, whatever it looks like.
            let isText = path.last == "token" || path.dropLast().last == "headers"
            return text.yaml(isAlwaysText: isText && path.first == "requests")
        case .null, .boolean, .number: return value.shown
        }
    }
}

extension TestValue {
    /// True for a non-empty list or map.
    fileprivate var isNested: Bool {
        switch kind {
        case .list(let elements): !elements.isEmpty
        case .map(let members): !members.isEmpty
        default: false
        }
    }
}

extension String {
    /// The string as a key.
    fileprivate var yamlKey: String { yaml(isAlwaysText: true) }

    /// The string as a scalar: unquoted where every reader takes it for this string.
    fileprivate func yaml(isAlwaysText: Bool) -> String {
        guard isPlain else { return doubleQuoted }
        if PlainScalar.read(self) == .text(self) { return self }
        return isAlwaysText && PlainScalar.read(self) != .null ? self : doubleQuoted
    }

    /// True when none of its characters has a meaning in YAML.
    private var isPlain: Bool {
        guard let first = unicodeScalars.first, first.isPlainWord, last != " " else { return false }
        var before: Unicode.Scalar = first
        for scalar in unicodeScalars {
            if before == ":", scalar == " " { return false }
            guard scalar.isPlainWord || " -+.:/'!?()=%;@".unicodeScalars.contains(scalar) else {
                return false
            }
            before = scalar
        }
        return before != ":"
    }

    private var doubleQuoted: String {
        var text = "\""
        for scalar in unicodeScalars {
            switch scalar {
            case "\"", "\\": text += "\\" + String(scalar)
            case "\n": text += "\\n"
            case "\t": text += "\\t"
            case "\r": text += "\\r"
            case "\u{20}"..."\u{7E}", "\u{A0}"..."\u{2027}", "\u{202A}"..."\u{FEFE}",
                "\u{FF00}"..."\u{FFFD}", "\u{10000}"...:
                text.unicodeScalars.append(scalar)
            default:
                let code = String(scalar.value, radix: 16)
                text += "\\u" + String(repeating: "0", count: max(0, 4 - code.count)) + code
            }
        }
        return text + "\""
    }
}

extension Unicode.Scalar {
    /// A letter, digit or underscore, in any script.
    fileprivate var isPlainWord: Bool {
        self == "_" || properties.isAlphabetic || properties.numericType == .decimal
    }
}
