/// A JSON text as a flat list of its values, in the order of the text, over its own bytes.
///
/// It holds no text: each method is lent the bytes again. Its buffer is used again for the next
/// text, so that reading allocates nothing once it has grown. Node 0 is the outermost value.
@safe public struct JSONTape: ~Copyable {
    /// How deep arrays and objects may lie in each other.
    public static let depthLimit = 64

    /// An empty tape.
    public init() {}

    /// Reads one JSON text, strictly after RFC 8259; a byte order mark before it is skipped.
    public mutating func read(_ bytes: RawSpan) throws(JSONError) {}

    /// How many nodes the text has.
    public var count: Int { 0 }
}
