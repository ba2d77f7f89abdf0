/// How one field is represented in a header block (RFC 7541, section 6).
public struct HeaderRepresentation: RawRepresentable, Hashable, Sendable {
    /// The effect of a representation on the dynamic table.
    public enum Kind: UInt8, CaseIterable, Sendable {
        /// Name and value are in the table: a single number.
        case indexed
        /// A literal that is added to the table.
        case incrementalIndexing
        /// A literal that is not added to the table.
        case withoutIndexing
        /// A literal that no intermediary may ever add to a table.
        case neverIndexed

        /// The terms of RFC 7541.
        public var words: String {
            switch self {
            case .indexed: "indexed"
            case .incrementalIndexing: "incremental indexing"
            case .withoutIndexing: "without indexing"
            case .neverIndexed: "never indexed"
            }
        }
    }

    /// The whole representation in one byte: the kind in the two lowest bits.
    public let rawValue: UInt8

    /// Creates a representation from its byte.
    public init(rawValue: UInt8) { self.rawValue = rawValue & 31 }

    /// Creates a representation; an indexed field has no literal parts.
    public init(
        _ kind: Kind, isNameIndexed: Bool = true, isNameHuffman: Bool = false,
        isValueHuffman: Bool = false
    ) {
        rawValue =
            kind.rawValue | (isNameIndexed ? 4 : 0) | (isNameHuffman ? 8 : 0)
            | (isValueHuffman ? 16 : 0)
    }

    /// The effect on the table.
    public var kind: Kind { Kind(rawValue: rawValue & 3) ?? .indexed }
    /// The name is in the table.
    public var isNameIndexed: Bool { rawValue & 4 != 0 }
    /// The name is Huffman-encoded.
    public var isNameHuffman: Bool { rawValue & 8 != 0 }
    /// The value is Huffman-encoded.
    public var isValueHuffman: Bool { rawValue & 16 != 0 }
}
