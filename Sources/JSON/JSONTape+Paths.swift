extension JSONTape {
    /// The value at a path starting at `node`; nil when a step leads nowhere.
    public func find(
        _ path: Int, of table: borrowing JSONPathTable, from node: Int = 0, in bytes: RawSpan
    ) -> Int? {
        guard table.paths[path].depth <= Self.depthLimit else { return nil }
        let found = unsafe bytes.withUnsafeBytes { text in
            unsafe table.names.withUnsafeBytes { names in
                unsafe table.paths.withUnsafeBufferPointer {
                    unsafe end(of: path, from: node, $0, names, in: text)
                }
            }
        }
        return found < 0 ? nil : found
    }

    /// The same for paths that all start at one node: they share the results of their common
    /// beginnings.
    ///
    /// Inlined, because most paths are looked up together with another one.
    @inlinable @inline(__always)
    public func find(
        _ path: Int, of table: borrowing JSONPathTable, from root: Int, in bytes: RawSpan,
        remembering known: inout JSONPathNodes
    ) -> Int? {
        precondition(unsafe path >= 0 && path < known.nodes.count, "a path of the same table")
        var found = unsafe Int(known.nodes[path])
        if found == Int(JSONPathNodes.unknown) {
            found = lookUp(path, of: table, from: root, in: bytes, remembering: &known)
        }
        return found < 0 ? nil : found
    }

    /// The value at a path that was not looked up yet; -1 for none.
    @usableFromInline @inline(never)
    func lookUp(
        _ path: Int, of table: borrowing JSONPathTable, from root: Int, in bytes: RawSpan,
        remembering known: inout JSONPathNodes
    ) -> Int {
        guard path > 0 else { return root }
        guard table.paths[path].depth <= Self.depthLimit else { return -1 }
        return withNames(of: table, in: bytes) { names in
            unsafe JSONPathWalk(names: names, known: known.nodes).end(of: path, from: root)
        }
    }

    /// Visits the members of an object that extend the path `parent`, in order, with their paths
    /// and the nodes of their values, for as long as `body` returns true.
    public func forEachMember(
        of object: Int, extending parent: Int, of table: borrowing JSONPathTable,
        in bytes: RawSpan, _ body: (_ path: Int, _ value: Int) -> Bool
    ) {
        let (first, end) = children(of: object)
        guard self[object].kind == .object else { return }
        withNames(of: table, in: bytes) {
            $0.forEachMember(from: first, to: end, extending: parent, body)
        }
    }

    @inline(__always)
    private func withNames<Result>(
        of table: borrowing JSONPathTable, in bytes: RawSpan, _ body: (JSONPathNames) -> Result
    ) -> Result {
        unsafe bytes.withUnsafeBytes { text in
            unsafe table.names.withUnsafeBytes { names in
                unsafe table.paths.withUnsafeBufferPointer { paths in
                    unsafe table.slots.withUnsafeBufferPointer { slots in
                        body(
                            unsafe JSONPathNames(
                                text: text, names: names, paths: paths, slots: slots,
                                nodes: UnsafeBufferPointer(start: nodes, count: count)))
                    }
                }
            }
        }
    }

    /// Where a path ends; -1 for nowhere. Recursion is bounded by the depth of a path.
    private func end(
        of path: Int, from start: Int, _ paths: UnsafeBufferPointer<JSONPathTable.Path>,
        _ names: UnsafeRawBufferPointer, in text: UnsafeRawBufferPointer
    ) -> Int {
        guard path > 0 else { return start }
        let last = unsafe paths[path]
        let node = unsafe end(of: Int(last.parent), from: start, paths, names, in: text)
        guard node >= 0 else { return -1 }
        if last.start < 0 { return element(Int(last.count), of: node) }
        let range = Int(last.start)..<Int(last.start &+ last.count)
        return unsafe member(.init(rebasing: names[range]), of: node, in: text)
    }
}
