/// How one field stands in a header block (RFC 7541, section 6).
public struct HeaderRepresentation: RawRepresentable, Hashable, Sendable {
    /// What a representation does to the table of the compression.
    public enum Kind: UInt8, CaseIterable, Sendable {
        /// Name and value stand in the table: one number.
        case indexed
        /// A literal that enters the table.
        case incrementalIndexing
        /// A literal that does not enter the table.
        case withoutIndexing
        /// A literal that no table on the way may ever hold.
        case neverIndexed

        /// The words of RFC 7541.
        public var words: String {
            switch self {
            case .indexed: "indexed"
            case .incrementalIndexing: "incremental indexing"
            case .withoutIndexing: "without indexing"
            case .neverIndexed: "never indexed"
            }
        }
    }

    /// All of it in one byte: the kind in the two lowest bits.
    public let rawValue: UInt8

    /// Reads the byte back.
    public init(rawValue: UInt8) { self.rawValue = rawValue & 31 }

    /// Describes a representation; an indexed field has no literal parts.
    public init(
        _ kind: Kind, isNameIndexed: Bool = true, isNameHuffman: Bool = false,
        isValueHuffman: Bool = false
    ) {
        rawValue =
            kind.rawValue | (isNameIndexed ? 4 : 0) | (isNameHuffman ? 8 : 0)
            | (isValueHuffman ? 16 : 0)
    }

    /// What it does to the table.
    public var kind: Kind { Kind(rawValue: rawValue & 3) ?? .indexed }
    /// The name stands in the table.
    public var isNameIndexed: Bool { rawValue & 4 != 0 }
    /// The name is written in Huffman's code.
    public var isNameHuffman: Bool { rawValue & 8 != 0 }
    /// The value is written in Huffman's code.
    public var isValueHuffman: Bool { rawValue & 16 != 0 }
}
