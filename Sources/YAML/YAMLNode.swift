/// A value in a YAML document, with the place where it is written.
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

    /// What a node is.
    public indirect enum Kind: Sendable {
        /// Text as written, without quotes and with escapes resolved.
        case scalar(text: String, style: Style)
        /// A list.
        case sequence([YAMLNode])
        /// Keys, all scalars and no two the same, and their values, in the file's order.
        case mapping([(key: YAMLNode, value: YAMLNode)])
    }

    /// What it is.
    public var kind: Kind
    /// Where it begins.
    public var place: SourcePlace
    /// Where it has ended: the place after its last character.
    public var endPlace: SourcePlace

    /// Makes a node.
    public init(_ kind: Kind, place: SourcePlace, endPlace: SourcePlace) {
        self.kind = kind
        self.place = place
        self.endPlace = endPlace
    }
}

extension YAMLNode {
    /// The text of a scalar; nil for a list or a mapping.
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

    /// True for nothing at all, `~` and `null`, without quotes.
    public var isNull: Bool {
        guard case .scalar(let text, .plain) = kind else { return false }
        return ["", "~", "null", "Null", "NULL"].contains(text)
    }

    /// The value of a key; nil when the node is not a mapping or has no such key.
    public subscript(key: String) -> YAMLNode? {
        entries?.first { $0.key.text == key }?.value
    }

    /// True for a scalar that stands on one line without escapes, so that every character of its
    /// text has a place of its own.
    public var isVerbatim: Bool {
        guard case .scalar(let text, let style) = kind, place.line == endPlace.line else {
            return false
        }
        let quotes = style == .quoted ? 2 : 0
        let isInline = style == .plain || style == .quoted
        return isInline && endPlace.column - place.column == text.unicodeScalars.count + quotes
    }

    /// Where a character of a scalar's text stands, counted in Unicode scalars from 0; the start
    /// of the scalar when it is not ``isVerbatim``.
    public func place(ofCharacter offset: Int) -> SourcePlace {
        guard isVerbatim, case .scalar(_, let style) = kind else { return place }
        let quote = style == .quoted ? 1 : 0
        return SourcePlace(line: place.line, column: place.column + quote + offset)
    }

    /// How many Unicode scalars it takes on its first line; at least 1.
    public var length: Int {
        place.line == endPlace.line ? max(1, endPlace.column - place.column) : 1
    }
}
