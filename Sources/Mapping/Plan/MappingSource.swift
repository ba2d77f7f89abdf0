/// How a scalar stands in the connector file.
public enum MappingScalarStyle: Sendable {
    /// Without quotation marks: it may be a number, `true`, `false` or `null`.
    case plain
    /// In quotation marks, or a block after `|` or `>`: always text.
    case quoted
}

/// A key of a map with its value.
public struct MappingMember: Sendable {
    /// The key as text.
    public var key: String
    /// Where the key begins.
    public var keyPlace: MappingPlace
    /// What follows it.
    public var value: MappingSource

    /// Describes a member.
    public init(key: String, keyPlace: MappingPlace, value: MappingSource) {
        self.key = key
        self.keyPlace = keyPlace
        self.value = value
    }
}

/// A part of the connector file as it is handed to the compiler of mappings.
///
/// `${env:…}` and `${file:…}` are resolved before; a `${` that comes out of them is written
/// as `$${`, so that nothing reads it as a template.
public indirect enum MappingSource: Sendable {
    /// A scalar. `end` is the place behind its last character: where it shows that the scalar is
    /// one line without escapes, problems are reported at the exact column.
    case scalar(
        text: String, style: MappingScalarStyle, place: MappingPlace, end: MappingPlace? = nil)
    /// A sequence.
    case list([MappingSource], place: MappingPlace)
    /// A mapping, in the order of the file.
    case map([MappingMember], place: MappingPlace)

    /// Where it begins.
    public var place: MappingPlace {
        switch self {
        case .scalar(_, _, let place, _), .list(_, let place), .map(_, let place): place
        }
    }
}
