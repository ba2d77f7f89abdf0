/// How a scalar is written in the connector file.
public enum MappingScalarStyle: Sendable {
    /// Unquoted: it may be a number, `true`, `false` or `null`.
    case plain
    /// Quoted, or a block after `|` or `>`: always a string.
    case quoted
}

/// A key of a map with its value.
public struct MappingMember: Sendable {
    /// The key as a string.
    public var key: String
    /// The position of the key.
    public var keyLocation: MappingLocation
    /// Its value.
    public var value: MappingSource

    /// Creates a member.
    public init(key: String, keyLocation: MappingLocation, value: MappingSource) {
        self.key = key
        self.keyLocation = keyLocation
        self.value = value
    }
}

/// A part of the connector file, as passed to the mapping compiler.
///
/// `${env:…}` and `${file:…}` are already resolved; a `${` in their values is escaped as `$${`, so
/// that it is not read as a template.
public indirect enum MappingSource: Sendable {
    /// A scalar. `written` is what the file contains if references in it were resolved. `end` is
    /// the position after its last character: if it shows that the scalar is a single line without
    /// escapes, problems are reported at the exact column.
    case scalar(
        text: String, style: MappingScalarStyle, location: MappingLocation,
        end: MappingLocation? = nil,
        written: String? = nil)
    /// A sequence.
    case list([MappingSource], location: MappingLocation)
    /// A mapping, in the order of the file.
    case map([MappingMember], location: MappingLocation)

    /// Its position.
    public var location: MappingLocation {
        switch self {
        case .scalar(_, _, let location, _, _), .list(_, let location), .map(_, let location):
            location
        }
    }
}
