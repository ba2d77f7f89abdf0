/// Where a table's paths lead in one text, for the paths that were looked up.
@safe public struct JSONPathNodes: ~Copyable {
    /// The path was not looked up yet.
    @usableFromInline static var unknown: Int32 { .min }
    /// By path number; -1 when a path leads nowhere.
    @usableFromInline let nodes: UnsafeMutableBufferPointer<Int32>

    /// Creates a value without results for the paths of `table`.
    public init(for table: borrowing JSONPathTable) {
        let nodes = UnsafeMutableBufferPointer<Int32>.allocate(capacity: table.count)
        unsafe nodes.initialize(repeating: Self.unknown)
        unsafe self.nodes = unsafe nodes
    }

    deinit { unsafe nodes.deallocate() }

    /// Discards all results, for another text or another starting node.
    public mutating func forget() { unsafe nodes.update(repeating: Self.unknown) }

    /// Lets a moving start end at `node`, and discards the results of the paths that begin there.
    public mutating func enter(_ start: Int, at node: Int, forgetting paths: [Int32]) {
        precondition(unsafe start > 0 && start < nodes.count, "a path of the same table")
        unsafe nodes[start] = Int32(truncatingIfNeeded: node)
        for path in paths {
            precondition(unsafe Int(path) < nodes.count, "a path of the same table")
            unsafe nodes[Int(path)] = Self.unknown
        }
    }
}
