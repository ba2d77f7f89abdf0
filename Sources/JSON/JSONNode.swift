/// What a value of a JSON text is.
public enum JSONKind: UInt8, Sendable, BitwiseCopyable {
    case null
    case boolean
    case number
    case string
    case array
    case object
}

/// One value of a JSON text: its kind and where it stands in the text.
///
/// An object's nodes are its own, then a string and a value for each member, in order.
public struct JSONNode: Sendable, BitwiseCopyable {
    /// The first byte of the value; a string begins behind its quotation mark.
    public let start: UInt32
    /// The byte behind the value; a string ends before its quotation mark.
    public internal(set) var end: UInt32
    /// The number of the node behind this one and everything inside it.
    public internal(set) var next: UInt32
    /// What the value is.
    public let kind: JSONKind
    /// True for a string that holds a backslash.
    public internal(set) var hasEscapes: Bool
}
