internal import YAML

/// The texts of an app by their keys, as in Apple's `Localizable.strings`.
public struct LocalizedStrings: Equatable, Sendable {
    private var texts: [String: String] = [:]

    /// No texts: keys are shown as they are.
    public init() {}

    /// Reads a file such as `"ORDER_SHIPPED" = "Order %@ has shipped";`, with comments.
    public static func load(path: String) throws(SimulatorError) -> LocalizedStrings {
        let bytes: [UInt8]
        do throws(InputFile.Failure) {
            bytes = try InputFile.read(path: path)
        } catch {
            throw SimulatorError(
                .scenario,
                "\(path): cannot be read: \(error.reason); choose a different file with --strings")
        }
        return try parse(String(decoding: bytes, as: UTF8.self), file: path)
    }

    /// Parses a file; `file` is its name in messages.
    public static func parse(
        _ text: String, file: String
    ) throws(SimulatorError) -> LocalizedStrings {
        var reader = Reader(rest: Array(text.unicodeScalars), file: file)
        var strings = LocalizedStrings()
        while let (key, value) = try reader.next() { strings.texts[key] = value }
        return strings
    }

    /// The text of a key with its arguments; nil for an unknown key.
    func text(_ key: String, _ arguments: [String]) -> String? {
        texts[key].map { Self.fill($0, arguments) }
    }

    /// Replaces `%@`, `%d` and `%1$@` by arguments; one that is missing leaves nothing, as on a
    /// device.
    private static func fill(_ text: String, _ arguments: [String]) -> String {
        var result = ""
        var next = 0
        var rest = text[...]
        while let percent = rest.firstIndex(of: "%") {
            result += rest[..<percent]
            rest = rest[rest.index(after: percent)...]
            if rest.first == "%" {
                result += "%"
                rest = rest.dropFirst()
                continue
            }
            let digits = rest.prefix { $0.isNumber }
            var kind = rest.dropFirst(digits.count)
            var position: Int?
            if !digits.isEmpty, kind.first == "$" {
                position = Int(digits).map { $0 - 1 }
                kind = kind.dropFirst()
            }
            guard let letter = kind.first, letter == "@" || letter == "d" || letter == "s" else {
                result += "%"
                continue
            }
            let index = position ?? next
            if position == nil { next += 1 }
            if arguments.indices.contains(index) { result += arguments[index] }
            rest = kind.dropFirst()
        }
        return result + rest
    }

    /// Reads entries one after another.
    private struct Reader {
        var rest: [Unicode.Scalar]
        let file: String
        var index = 0
        var line = 1

        mutating func next() throws(SimulatorError) -> (String, String)? {
            try skipSpace()
            guard index < rest.count else { return nil }
            let key = try quoted()
            try skipSpace()
            try expect("=")
            try skipSpace()
            let value = try quoted()
            try skipSpace()
            try expect(";")
            return (key, value)
        }

        private mutating func advance() -> Unicode.Scalar? {
            guard index < rest.count else { return nil }
            defer { index += 1 }
            if rest[index] == "\n" { line += 1 }
            return rest[index]
        }

        private mutating func expect(_ wanted: Unicode.Scalar) throws(SimulatorError) {
            guard advance() == wanted else { throw fault("'\(wanted)' expected") }
        }

        private func fault(_ message: String) -> SimulatorError {
            SimulatorError(
                .scenario,
                "\(file):\(line): \(message); write \"KEY\" = \"text with %@\";")
        }

        private mutating func skipSpace() throws(SimulatorError) {
            while index < rest.count {
                if rest[index].properties.isWhitespace || rest[index] == "\u{FEFF}" {
                    _ = advance()
                } else if rest[index...].starts(with: "/*".unicodeScalars) {
                    try skipComment()
                } else if rest[index...].starts(with: "//".unicodeScalars) {
                    while let scalar = advance(), scalar != "\n" {}
                } else {
                    return
                }
            }
        }

        private mutating func skipComment() throws(SimulatorError) {
            let begin = line
            while index < rest.count {
                if rest[index...].starts(with: "*/".unicodeScalars) {
                    index += 2
                    return
                }
                _ = advance()
            }
            throw SimulatorError(
                .scenario, "\(file):\(begin): the comment has no end; write */ after it")
        }

        private mutating func quoted() throws(SimulatorError) -> String {
            guard advance() == "\"" else { throw fault("'\"' expected") }
            var text = String.UnicodeScalarView()
            while let scalar = advance() {
                switch scalar {
                case "\"": return String(text)
                case "\\":
                    switch advance() {
                    case "n": text.append("\n")
                    case "t": text.append("\t")
                    case let other?: text.append(other)
                    case nil: break
                    }
                default: text.append(scalar)
                }
            }
            throw fault("the text has no closing quote")
        }
    }
}
