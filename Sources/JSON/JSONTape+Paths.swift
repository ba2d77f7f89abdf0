extension JSONTape {
    /// The value at the end of a path that begins at `node`; nil when a step leads nowhere.
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

    /// The same for paths that all begin at one node: what one has found the others need not
    /// look for again, as far as they agree.
    public func find(
        _ path: Int, of table: borrowing JSONPathTable, from root: Int, in bytes: RawSpan,
        remembering places: inout JSONPathPlaces
    ) -> Int? {
        precondition(unsafe path >= 0 && path < places.nodes.count, "a path of the same table")
        let known = unsafe places.nodes[path]
        guard known == JSONPathPlaces.unknown else { return known < 0 ? nil : Int(known) }
        guard table.paths[path].depth <= Self.depthLimit else { return nil }
        let found = unsafe bytes.withUnsafeBytes { text in
            unsafe table.names.withUnsafeBytes { names in
                unsafe table.paths.withUnsafeBufferPointer {
                    unsafe end(of: path, from: root, $0, names, in: text, places.nodes)
                }
            }
        }
        return found < 0 ? nil : found
    }

    /// Where a path ends; -1 for nowhere. No deeper than a text is.
    private func end(
        of path: Int, from start: Int, _ paths: UnsafeBufferPointer<JSONPathTable.Path>,
        _ names: UnsafeRawBufferPointer, in text: UnsafeRawBufferPointer,
        _ known: UnsafeMutableBufferPointer<Int32>? = nil
    ) -> Int {
        guard path > 0 else { return start }
        if let place = unsafe known?[path], place != JSONPathPlaces.unknown { return Int(place) }
        let last = unsafe paths[path]
        var node = unsafe end(of: Int(last.parent), from: start, paths, names, in: text, known)
        if node >= 0 {
            if last.start < 0 {
                node = element(Int(last.count), of: node)
            } else {
                let range = Int(last.start)..<Int(last.start &+ last.count)
                node = unsafe member(.init(rebasing: names[range]), of: node, in: text)
            }
        }
        unsafe known?[path] = Int32(truncatingIfNeeded: node)
        return node
    }
}
