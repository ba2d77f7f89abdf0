/// A JSON text as a flat list of its values, in the order of the text, over its own bytes.
///
/// It holds no text: each method is lent the bytes again, and they must be those that were read.
/// Its buffer is used again for the next text, so that reading allocates nothing once it has
/// grown. Node 0 is the outermost value. After an error there is no node.
@safe public struct JSONTape: ~Copyable {
    /// How deep arrays and objects may lie in each other.
    public static let depthLimit = 64

    /// How many nodes the text has.
    public private(set) var count = 0
    private(set) var nodes: UnsafeMutablePointer<JSONNode>
    private var capacity: Int

    /// An empty tape.
    public init() {
        capacity = 64
        unsafe nodes = .allocate(capacity: capacity)
    }

    deinit { unsafe nodes.deallocate() }

    /// Reads one JSON text, strictly after RFC 8259; a byte order mark before it is skipped.
    public mutating func read(_ bytes: RawSpan) throws(JSONError) {
        count = 0
        guard bytes.byteCount <= Int(Int32.max) else {
            throw JSONError(offset: Int(Int32.max), message: "longer than 2 GiB")
        }
        makeRoom(JSONParser.capacity(for: bytes.byteCount))
        let (found, failure) = unsafe bytes.withUnsafeBytes { buffer in
            var parser = unsafe JSONParser(buffer, nodes: nodes, capacity: capacity)
            let failure = parser.run()
            return (parser.count, failure)
        }
        if let failure { throw failure }
        count = found
    }

    /// Makes room for so many nodes; what was there before is forgotten.
    private mutating func makeRoom(_ wanted: Int) {
        guard wanted > capacity else { return }
        capacity = max(wanted, capacity * 2)
        unsafe nodes.deallocate()
        unsafe nodes = .allocate(capacity: capacity)
    }

    /// The node with a number.
    public subscript(_ index: Int) -> JSONNode {
        precondition(index >= 0 && index < count, "a node of another text")
        return unsafe nodes[index]
    }

    /// The numbers of an array's or object's children: step with ``next(after:)`` until `end`.
    ///
    /// Of an object these are the names and the values by turns.
    public func children(of index: Int) -> (first: Int, end: Int) {
        let node = self[index]
        switch node.kind {
        case .array, .object: return (index + 1, Int(node.next))
        default: return (index + 1, index + 1)
        }
    }

    /// The number of the node behind this one and everything inside it.
    public func next(after index: Int) -> Int { Int(self[index].next) }
}
