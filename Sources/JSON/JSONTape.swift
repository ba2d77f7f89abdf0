/// A JSON text as a flat list of its values, in order, referring to its bytes.
///
/// It contains no strings: each method is passed the bytes again, and they must be those that were
/// read. Its buffer is reused for the next text, so that reading allocates nothing once it has
/// grown. Node 0 is the outermost value. After an error there are no nodes.
@safe public struct JSONTape: ~Copyable {
    /// The deepest nesting of arrays and objects.
    public static let depthLimit = 64

    /// True when each value is already written as JSON without spaces and needless escapes.
    @usableFromInline var isCompact = false
    @usableFromInline var nodes: UnsafeMutablePointer<JSONNode>
    @usableFromInline var capacity: Int
    @usableFromInline var used = 0

    /// The number of nodes.
    @inlinable public var count: Int { used }

    /// Creates an empty tape.
    public init() {
        capacity = 64
        unsafe nodes = .allocate(capacity: capacity)
    }

    deinit { unsafe nodes.deallocate() }

    /// Reads a JSON text, strictly according to RFC 8259; skips a byte order mark.
    ///
    /// Half of a surrogate pair in an escape is an error, or U+FFFD if `replacesLoneSurrogates`.
    public mutating func read(
        _ bytes: RawSpan, replacesLoneSurrogates: Bool = false
    ) throws(JSONError) {
        used = 0
        guard bytes.byteCount <= Int(Int32.max) else {
            throw JSONError(offset: Int(Int32.max), message: "longer than 2 GiB")
        }
        makeRoom(JSONParser.capacity(for: bytes.byteCount))
        let (found, isCompact, failure) = unsafe bytes.withUnsafeBytes { buffer in
            var parser = unsafe JSONParser(buffer, nodes: nodes, capacity: capacity)
            parser.replacesLoneSurrogates = replacesLoneSurrogates
            let failure = parser.run()
            return (parser.count, parser.isCompact, failure)
        }
        if let failure { throw failure }
        used = found
        self.isCompact = isCompact
    }

    /// Makes room for this many nodes, discarding the existing ones.
    private mutating func makeRoom(_ wanted: Int) {
        guard wanted > capacity else { return }
        capacity = max(wanted, capacity * 2)
        unsafe nodes.deallocate()
        unsafe nodes = .allocate(capacity: capacity)
    }

    /// The node at an index.
    public subscript(_ index: Int) -> JSONNode {
        precondition(index >= 0 && index < count, "a node of another text")
        return unsafe nodes[index]
    }

    /// The indices of an array's or object's children: step with ``next(after:)`` until `end`.
    ///
    /// For an object these are alternately names and values.
    public func children(of index: Int) -> (first: Int, end: Int) {
        let node = self[index]
        switch node.kind {
        case .array, .object: return (index + 1, Int(node.next))
        default: return (index + 1, index + 1)
        }
    }

    /// The index of the node after this one and everything inside it.
    public func next(after index: Int) -> Int { Int(self[index].next) }
}
