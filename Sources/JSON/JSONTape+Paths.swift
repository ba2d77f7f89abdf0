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

    /// Where a path ends; -1 for nowhere. Recursion is bounded by the depth of a path.
    private func end(
        of path: Int, from start: Int, _ paths: UnsafeBufferPointer<JSONPathTable.Path>,
        _ names: UnsafeRawBufferPointer, in text: UnsafeRawBufferPointer,
        _ known: UnsafeMutableBufferPointer<Int32>? = nil
    ) -> Int {
        guard path > 0 else { return start }
        if let place = unsafe known?[path], place != JSONPathPlaces.unknown { return Int(place) }
        let last = unsafe paths[path]
        var node = unsafe end(of: Int(last.parent), from: start, paths, names, in: text, known)
        if let known = unsafe known, last.start >= 0 {
            unsafe findMembers(of: Int(last.parent), at: node, paths, names, in: text, known)
            return unsafe Int(known[path])
        }
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

    /// Finds all members of one object that paths refer to, in a single pass: the last one if
    /// several have the same name.
    private func findMembers(
        of parent: Int, at node: Int, _ paths: UnsafeBufferPointer<JSONPathTable.Path>,
        _ names: UnsafeRawBufferPointer, in text: UnsafeRawBufferPointer,
        _ known: UnsafeMutableBufferPointer<Int32>
    ) {
        let first = unsafe Int(paths[parent].firstMember)
        var path = first
        while path > 0 {
            unsafe known[path] = -1
            path = unsafe Int(paths[path].nextMember)
        }
        guard node >= 0 else { return }
        let object = self[node]
        guard object.kind == .object else { return }
        precondition(object.end <= text.count, "the bytes of another text")
        let lengths = unsafe paths[parent].memberLengths
        let nodes = unsafe self.nodes
        var child = node &+ 1
        while child < object.next {
            // The children of a node are always on the tape.
            let name = unsafe nodes[child]
            let length = Int(name.end &- name.start)
            if lengths & JSONPathTable.Path.bit(ofLength: length) != 0 || name.hasEscapes {
                path = unsafe self.path(named: name, from: first, paths, names, in: text)
                if path > 0 { unsafe known[path] = Int32(truncatingIfNeeded: child &+ 1) }
            }
            child = unsafe Int(nodes[child &+ 1].next)
        }
    }

    /// The path, from `first` on, that ends in a name; 0 for none.
    @inline(__always)
    private func path(
        named name: JSONNode, from first: Int, _ paths: UnsafeBufferPointer<JSONPathTable.Path>,
        _ names: UnsafeRawBufferPointer, in text: UnsafeRawBufferPointer
    ) -> Int {
        let start = Int(name.start)
        let isQuick = !name.hasEscapes && start &+ 8 <= text.count
        let word =
            unsafe isQuick
            ? UInt64(littleEndian: text.loadUnaligned(fromByteOffset: start, as: UInt64.self)) : 0
        var path = first
        while path > 0 {
            let isMaybe = unsafe !isQuick || (word ^ paths[path].start8) & paths[path].mask8 == 0
            if isMaybe, unsafe name.hasEscapes || paths[path].count == name.end &- name.start {
                if isQuick, unsafe paths[path].count <= 8 { return path }
                let from = unsafe Int(paths[path].start)
                let range = unsafe from..<from &+ Int(paths[path].count)
                if unsafe isText(name, .init(rebasing: names[range]), in: text) { return path }
            }
            path = unsafe Int(paths[path].nextMember)
        }
        return 0
    }
}
