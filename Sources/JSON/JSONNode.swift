/// The kind of a JSON value.
public enum JSONKind: UInt8, Sendable, BitwiseCopyable {
    case null
    case boolean
    case number
    case string
    case array
    case object
}

/// One value in a JSON text: its kind and its position.
///
/// An object's node is followed by a string and a value for each member, in order.
public struct JSONNode: Sendable, BitwiseCopyable, Equatable {
    /// The first byte of the value; for a string, the byte after its opening quotation mark.
    public let start: UInt32
    /// The byte after the value; for a string, its closing quotation mark.
    public var end: UInt32
    /// The index of the node after this one and everything inside it.
    public var next: UInt32
    /// The kind of the value.
    public let kind: JSONKind
    /// True for a string that contains a backslash.
    public var hasEscapes: Bool

    @inlinable init(start: UInt32, end: UInt32, next: UInt32, kind: JSONKind, hasEscapes: Bool) {
        self.start = start
        self.end = end
        self.next = next
        self.kind = kind
        self.hasEscapes = hasEscapes
    }
}
