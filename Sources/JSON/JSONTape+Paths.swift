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
        remembering places: inout JSONPathPlaces
    ) -> Int? {
        precondition(unsafe path >= 0 && path < places.nodes.count, "a path of the same table")
        var found = unsafe Int(places.nodes[path])
        if found == Int(JSONPathPlaces.unknown) {
            found = lookUp(path, of: table, from: root, in: bytes, remembering: &places)
        }
        return found < 0 ? nil : found
    }

    /// The value at a path that was not looked up yet; -1 for none.
    @usableFromInline @inline(never)
    func lookUp(
        _ path: Int, of table: borrowing JSONPathTable, from root: Int, in bytes: RawSpan,
        remembering places: inout JSONPathPlaces
    ) -> Int {
        guard path > 0 else { return root }
        guard table.paths[path].depth <= Self.depthLimit else { return -1 }
        return unsafe bytes.withUnsafeBytes { text in
            unsafe table.names.withUnsafeBytes { names in
                unsafe table.paths.withUnsafeBufferPointer { paths in
                    unsafe table.slots.withUnsafeBufferPointer { slots in
                        let walk = unsafe JSONPathWalk(
                            text: text, names: names, paths: paths, slots: slots,
                            nodes: UnsafeBufferPointer(start: nodes, count: count),
                            known: places.nodes)
                        return walk.end(of: path, from: root)
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
