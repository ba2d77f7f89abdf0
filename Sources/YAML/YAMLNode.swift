/// A value in a YAML document, with its position.
public struct YAMLNode: Sendable {
    /// How a scalar is written; only a plain one can be a number, a boolean or null.
    public enum Style: Equatable, Sendable {
        /// Without quotes.
        case plain
        /// In single or double quotes.
        case quoted
        /// A block after `|`.
        case literal
        /// A block after `>`.
        case folded
    }

    /// The kind of a node.
    public indirect enum Kind: Sendable {
        /// A string, without quotation marks and with escapes resolved.
        case scalar(text: String, style: Style)
        /// A list.
        case sequence([YAMLNode])
        /// Keys, which are distinct scalars, and their values, in the order of the file.
        case mapping([(key: YAMLNode, value: YAMLNode)])
    }

    /// The kind.
    public var kind: Kind
    /// Where it starts.
    public var location: SourceLocation
    /// Where it ends: the position after its last character.
    public var endLocation: SourceLocation

    /// Creates a node.
    public init(_ kind: Kind, location: SourceLocation, endLocation: SourceLocation) {
        self.kind = kind
        self.location = location
        self.endLocation = endLocation
    }
}

extension YAMLNode {
    /// The string of a scalar; nil for a list or a mapping.
    public var text: String? {
        if case .scalar(let text, _) = kind { text } else { nil }
    }

    /// The elements of a list; nil for anything else.
    public var elements: [YAMLNode]? {
        if case .sequence(let elements) = kind { elements } else { nil }
    }

    /// The keys and values of a mapping; nil for anything else.
    public var entries: [(key: YAMLNode, value: YAMLNode)]? {
        if case .mapping(let entries) = kind { entries } else { nil }
    }

    /// True for an unquoted empty scalar, `~` or `null`.
    public var isNull: Bool {
        guard case .scalar(let text, .plain) = kind else { return false }
        return ["", "~", "null", "Null", "NULL"].contains(text)
    }

    /// The value of a key; nil when the node is not a mapping or has no such key.
    public subscript(key: String) -> YAMLNode? {
        entries?.first { $0.key.text == key }?.value
    }

    /// True for a scalar on one line without escapes, so that every character of its string has its
    /// own position.
    public var isVerbatim: Bool {
        guard case .scalar(let text, let style) = kind, location.line == endLocation.line else {
            return false
        }
        let quotes = style == .quoted ? 2 : 0
        let isInline = style == .plain || style == .quoted
        return isInline
            && endLocation.column - location.column == text.unicodeScalars.count + quotes
    }

    /// The position of a character of a scalar's string, counted in Unicode scalars from 0; the
    /// start of the scalar when it is not ``isVerbatim``.
    public func location(ofCharacter offset: Int) -> SourceLocation {
        guard isVerbatim, case .scalar(_, let style) = kind else { return location }
        let quote = style == .quoted ? 1 : 0
        return SourceLocation(line: location.line, column: location.column + quote + offset)
    }

    /// Its length on its first line in Unicode scalars; at least 1.
    public var length: Int {
        location.line == endLocation.line ? max(1, endLocation.column - location.column) : 1
    }
}
