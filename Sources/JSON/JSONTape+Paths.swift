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
        let last = unsafe paths[path]
        let parent = Int(last.parent)
        var node = start
        if parent > 0 {
            if let place = unsafe known?[parent], place != JSONPathPlaces.unknown {
                node = Int(place)
            } else {
                node = unsafe end(of: parent, from: start, paths, names, in: text, known)
            }
        }
        if let known = unsafe known, last.start >= 0 {
            unsafe findMembers(of: parent, at: node, paths, names, in: text, known)
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
        guard node >= 0, let base = text.baseAddress else { return }
        let object = self[node]
        guard object.kind == .object else { return }
        precondition(object.end <= text.count, "the bytes of another text")
        let lengths = unsafe paths[parent].memberLengths
        let nodes = unsafe self.nodes
        // From there on fewer than eight bytes can be read.
        let late = text.count &- 8
        var child = node &+ 1
        while child < object.next {
            // The children of a node are always on the tape.
            let name = unsafe nodes[child]
            let length = name.end &- name.start
            if lengths & JSONPathTable.Path.bit(ofLength: length) != 0 || name.hasEscapes {
                if !name.hasEscapes, Int(name.start) <= late {
                    path = unsafe paths.path(
                        named: base + Int(name.start), length, from: first, names)
                } else {
                    path = unsafe paths.path(named: name, from: first, names, in: text)
                }
                if path > 0 { unsafe known[path] = Int32(truncatingIfNeeded: child &+ 1) }
            }
            child = unsafe Int(nodes[child &+ 1].next)
        }
    }
}

extension UnsafeBufferPointer<JSONPathTable.Path> {
    /// The path, from `first` on, that ends in a name of plain bytes, of which eight can be read;
    /// 0 for none.
    @inline(__always)
    fileprivate func path(
        named name: UnsafeRawPointer, _ length: UInt32, from first: Int,
        _ names: UnsafeRawBufferPointer
    ) -> Int {
        let word = unsafe UInt64(littleEndian: name.loadUnaligned(as: UInt64.self))
        var path = first
        while path > 0 {
            let isMaybe = unsafe (word ^ self[path].start8) & self[path].mask8 == 0
            if isMaybe, unsafe UInt32(bitPattern: self[path].count) == length {
                if length <= 8 { return path }
                let bytes = unsafe UnsafeRawBufferPointer(start: name, count: Int(length))
                if unsafe Bytes.equal(bytes, self[path].name(in: names)) { return path }
            }
            path = unsafe Int(self[path].nextMember)
        }
        return 0
    }

    /// The path, from `first` on, that ends in any other name; 0 for none.
    @inline(never)
    fileprivate func path(
        named name: JSONNode, from first: Int, _ names: UnsafeRawBufferPointer,
        in text: UnsafeRawBufferPointer
    ) -> Int {
        var path = first
        while path > 0 {
            if unsafe name.isText(self[path].name(in: names), in: text) { return path }
            path = unsafe Int(self[path].nextMember)
        }
        return 0
    }
}

extension JSONPathTable.Path {
    /// The name of the member that the path ends in.
    @inline(__always)
    fileprivate func name(in names: UnsafeRawBufferPointer) -> UnsafeRawBufferPointer {
        unsafe UnsafeRawBufferPointer(rebasing: names[Int(start)..<Int(start &+ count)])
    }
}
