import Foundation

/// A Swift file: as it is written, and as code without comments and strings.
struct SwiftFile {
    /// From the root: `Sources/Delivery/Record.swift`.
    var path: String
    /// The lines as they are written.
    var lines: [String]
    /// The same lines with blanks instead of comments, strings and raw identifiers.
    var code: [String]
    private let allCode: String

    init(path: String) throws {
        self.init(path: path, text: try Repository.text(path))
    }

    init(path: String, text: String) {
        self.path = path
        lines = Self.split(text)
        allCode = SwiftLexer.code(of: text)
        code = Self.split(allCode)
    }

    /// The name of the target that the file belongs to.
    var module: String {
        let parts = path.split(separator: "/")
        return parts.count > 2 ? String(parts[1]) : ""
    }

    /// Every line of code that matches, as `path:line: what`.
    func offences(_ pattern: String, _ what: String) -> [String] {
        guard let found = lines(matching: pattern) else { return ["\(pattern): no pattern"] }
        return found.map { offence($0, what) }
    }

    /// The lines of code that match, counted from 0; nil if the pattern is invalid.
    func lines(matching pattern: String) -> [Int]? {
        guard let pattern = try? LinePattern(pattern) else { return nil }
        guard pattern.mayMatch(aLineOf: allCode) else { return [] }
        return code.indices.filter { pattern.matches(code[$0]) }
    }

    /// Names a line, counted from 0.
    func offence(_ index: Int, _ what: String) -> String { "\(path):\(index + 1): \(what)" }

    private static func split(_ text: String) -> [String] {
        var lines = text.split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
        if lines.last == "" { lines.removeLast() }
        return lines
    }
}

/// A pattern that the lines of many files are searched for.
struct LinePattern {
    private let inText: NSRegularExpression
    private let inLine: Regex<AnyRegexOutput>

    init(_ pattern: String) throws {
        inText = try NSRegularExpression(pattern: pattern, options: .anchorsMatchLines)
        inLine = try Regex(words: pattern)
    }

    /// False if no line of a text matches. Most texts have none, and this takes a tenth of the
    /// time that Swift's own engine needs for all their lines.
    func mayMatch(aLineOf text: String) -> Bool {
        let all = NSRange(location: 0, length: text.utf16.count)
        return inText.firstMatch(in: text, range: all) != nil
    }

    func matches(_ line: some StringProtocol) -> Bool {
        Substring(line).contains(inLine)
    }
}

extension Regex where Output == AnyRegexOutput {
    /// Reads a pattern in which a word ends at the first character that is not a letter.
    init(words pattern: String) throws {
        self = try Regex(pattern).wordBoundaryKind(.simple)
    }
}
