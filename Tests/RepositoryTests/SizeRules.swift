/// How large a line, a function and a file may be.
enum SizeRules {
    static let columns = 100
    static let functionLines = 60
    static let fileLines = 400

    static func lineOffences(in file: SwiftFile) -> [String] {
        file.lines.indices.filter { file.lines[$0].count > columns }
            .map { file.offence($0, "\(file.lines[$0].count) columns, \(columns) are allowed") }
    }

    static func fileOffences(in file: SwiftFile) -> [String] {
        guard file.lines.count > fileLines else { return [] }
        return ["\(file.path):1: \(file.lines.count) lines, \(fileLines) are allowed"]
    }

    static func functionOffences(in file: SwiftFile) -> [String] {
        functions(of: file).filter { $0.lines > functionLines }
            .map { file.offence($0.start, "\($0.lines) lines, \(functionLines) are allowed") }
    }

    /// Where each function, initializer, subscript or computed property starts, and its length.
    static func functions(of file: SwiftFile) -> [(start: Int, lines: Int)] {
        let words = ["func", "init", "deinit", "subscript", "var"]
        let bytes = Array(file.code.joined(separator: "\n").utf8)
        var found: [(start: Int, lines: Int)] = []
        var line = 0
        var word: [UInt8] = []
        for (index, byte) in bytes.enumerated() {
            if isLetter(byte) {
                word.append(byte)
                continue
            }
            if words.contains(String(decoding: word, as: UTF8.self)),
                let body = bodyStart(bytes, after: index),
                let end = closingBrace(bytes, from: body)
            {
                found.append((line, bytes[index..<end].count { $0 == UInt8(ascii: "\n") } + 1))
            }
            word.removeAll(keepingCapacity: true)
            if byte == UInt8(ascii: "\n") { line += 1 }
        }
        return found
    }

    private static func isLetter(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
            UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "_"):
            true
        default: false
        }
    }

    /// The opening brace of a declaration's body; nil when another one begins before it.
    private static func bodyStart(_ bytes: [UInt8], after start: Int) -> Int? {
        var depth = 0
        var word: [UInt8] = []
        for index in start..<bytes.count {
            let byte = bytes[index]
            if isLetter(byte) {
                word.append(byte)
                continue
            }
            if depth == 0, stops.contains(String(decoding: word, as: UTF8.self)) {
                return nil
            }
            word.removeAll(keepingCapacity: true)
            switch byte {
            case UInt8(ascii: "("), UInt8(ascii: "["): depth += 1
            case UInt8(ascii: ")"), UInt8(ascii: "]"): depth -= 1
            case UInt8(ascii: "{") where depth == 0: return index
            case UInt8(ascii: "}") where depth == 0: return nil
            default: break
            }
            if depth < 0 { return nil }
        }
        return nil
    }

    private static func closingBrace(_ bytes: [UInt8], from start: Int) -> Int? {
        var depth = 0
        for index in start..<bytes.count {
            if bytes[index] == UInt8(ascii: "{") { depth += 1 }
            if bytes[index] == UInt8(ascii: "}") { depth -= 1 }
            if depth == 0 { return index }
        }
        return nil
    }

    private static let stops: Set<String> = [
        "func", "var", "let", "init", "deinit", "subscript", "case", "struct", "enum", "class",
        "actor", "extension", "protocol", "typealias", "associatedtype", "static", "public",
        "private", "fileprivate", "internal", "package", "mutating", "import", "if", "for",
        "while", "switch", "guard", "return", "do", "defer",
    ]
}
