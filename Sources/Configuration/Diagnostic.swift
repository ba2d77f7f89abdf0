internal import Encoding

/// A problem in a file: where it is, what is wrong, and what to write instead.
///
/// Its ``description`` is what `lint` prints:
///
///     connectors/orders.yaml:4:3: error: unknown key 'push_typ' in notification
///           push_typ: alert
///           ^~~~~~~~
///       did you mean 'push_type'?
public struct Diagnostic: Equatable, Sendable, CustomStringConvertible {
    /// Whether it prevents a connector from running.
    public enum Severity: String, Sendable {
        /// The connector cannot run.
        case error
        /// The connector can run, but perhaps not as intended.
        case warning
    }

    /// The path of the file, as given.
    public var file: String
    /// The line, from 1; 0 for the whole file.
    public var line: Int
    /// The column in Unicode scalars, from 1; 0 for the whole line.
    public var column: Int
    /// Whether it prevents a connector from running.
    public var severity: Severity
    /// What is wrong, in one line.
    public var message: String
    /// The line with a caret below the cause; nil if it would add nothing.
    public var excerpt: Excerpt?
    /// What to write instead; nil if unknown.
    public var remedy: String?
    /// True when the file itself is right, and what it names is not: a certificate that has
    /// expired, a key that cannot be read.
    public var isExternal = false

    /// A line of a file, and the part of it at fault.
    public struct Excerpt: Equatable, Sendable {
        /// The line as it is in the file.
        public var text: String
        /// The number of underlined Unicode scalars, at least 1.
        public var length: Int

        /// Creates an excerpt.
        public init(text: String, length: Int) {
            self.text = text
            self.length = length
        }
    }

    /// Creates a diagnostic.
    public init(
        file: String, line: Int, column: Int, severity: Severity, message: String,
        excerpt: Excerpt? = nil, remedy: String? = nil
    ) {
        self.file = file
        self.line = line
        self.column = column
        self.severity = severity
        self.message = message
        self.excerpt = excerpt
        self.remedy = remedy
    }

    /// Where the cause is, as `file:line:column`, without what applies to the whole file or line.
    public var location: String {
        guard line > 0 else { return file }
        return column > 0 ? "\(file):\(line):\(column)" : "\(file):\(line)"
    }

    /// The diagnostic as `lint` prints it, without a newline at the end.
    public var description: String { text(inColour: false) }

    /// The diagnostic as `lint` prints it, optionally in colour, without a newline at the end.
    public func text(inColour: Bool) -> String {
        func painted(_ text: String, _ style: Style) -> String {
            inColour ? "\u{1B}[\(style.rawValue)m\(text)\u{1B}[0m" : text
        }
        let word = painted(severity.rawValue, severity == .error ? .error : .warning)
        let start = painted(SafeText.line(location), .location)
        var lines = ["\(start): \(word): \(SafeText.line(message))"]
        if let excerpt {
            lines.append("    " + SafeText.lines(excerpt.text))
            if column > 0 { lines.append(painted(caret(under: excerpt), .caret)) }
        }
        if let remedy { lines.append("  " + SafeText.lines(remedy)) }
        return lines.joined(separator: "\n")
    }

    /// The ECMA-48 codes for terminal colours.
    private enum Style: String {
        case error = "1;31"
        case warning = "1;33"
        case location = "1"
        case caret = "32"
    }

    private func caret(under excerpt: Excerpt) -> String {
        let indent = String(repeating: " ", count: 3 + column)
        return indent + "^" + String(repeating: "~", count: max(0, excerpt.length - 1))
    }
}
