/// Something that is wrong in a file: where, what, and what to write instead.
///
/// Its ``description`` is what `lint` prints:
///
///     connectors/orders.yaml:4:3: error: unknown key 'push_typ' in notification
///           push_typ: alert
///           ^~~~~~~~
///       did you mean 'push_type'?
public struct Diagnostic: Equatable, Sendable, CustomStringConvertible {
    /// Whether it keeps a connector from running.
    public enum Severity: String, Sendable {
        /// The connector cannot run.
        case error
        /// The connector can run, but is perhaps not what was meant.
        case warning
    }

    /// The path of the file, as it was given.
    public var file: String
    /// The line, from 1; 0 when the whole file is meant.
    public var line: Int
    /// The column in Unicode scalars, from 1; 0 when the whole line is meant.
    public var column: Int
    /// Whether it keeps a connector from running.
    public var severity: Severity
    /// What is wrong, in one line.
    public var message: String
    /// The line of the file and the caret under the cause; nil where they would add nothing.
    public var excerpt: Excerpt?
    /// What to write instead; nil when nothing can be said.
    public var remedy: String?

    /// A line of a file, and the part of it that is meant.
    public struct Excerpt: Equatable, Sendable {
        /// The line as it stands in the file.
        public var text: String
        /// How many Unicode scalars are underlined, at least 1.
        public var length: Int

        /// Keeps a line and the length of the part that is meant.
        public init(text: String, length: Int) {
            self.text = text
            self.length = length
        }
    }

    /// Describes a finding.
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

    /// The finding as `lint` prints it, without a newline at the end.
    public var description: String { text(inColour: false) }

    /// The finding as `lint` prints it, on a terminal in colour, without a newline at the end.
    public func text(inColour: Bool) -> String {
        func painted(_ text: String, _ style: Style) -> String {
            inColour ? "\u{1B}[\(style.rawValue)m\(text)\u{1B}[0m" : text
        }
        var place = file
        if line > 0 { place += ":\(line)" }
        if line > 0, column > 0 { place += ":\(column)" }
        let word = painted(severity.rawValue, severity == .error ? .error : .warning)
        var lines = ["\(painted(place, .place)): \(word): \(message)"]
        if let excerpt {
            lines.append("    " + excerpt.text)
            if column > 0 { lines.append(painted(caret(under: excerpt), .caret)) }
        }
        if let remedy { lines.append("  " + remedy) }
        return lines.joined(separator: "\n")
    }

    /// The numbers of ECMA-48 for what a terminal shows in colour.
    private enum Style: String {
        case error = "1;31"
        case warning = "1;33"
        case place = "1"
        case caret = "32"
    }

    private func caret(under excerpt: Excerpt) -> String {
        let indent = String(repeating: " ", count: 3 + column)
        return indent + "^" + String(repeating: "~", count: max(0, excerpt.length - 1))
    }
}
