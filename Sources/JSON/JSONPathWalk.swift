/// Looks up paths of a table in a text, and remembers where they lead.
///
/// Apart from the tape, and in one place: what it needs are more values than can be passed in
/// registers.
@safe struct JSONPathWalk {
    private typealias Path = JSONPathTable.Path

    let names: JSONPathNames
    let known: UnsafeMutableBufferPointer<Int32>

    private var text: UnsafeRawBufferPointer { unsafe names.text }
    private var paths: UnsafeBufferPointer<JSONPathTable.Path> { unsafe names.paths }
    private var nodes: UnsafeBufferPointer<JSONNode> { unsafe names.nodes }

    /// Where a path ends; -1 for nowhere.
    @inline(never)
    func end(of path: Int, from root: Int) -> Int {
        while unsafe known[path] == JSONPathNodes.unknown {
            var next = path
            var parent = unsafe Int(paths[next].parent)
            while parent > 0, unsafe known[parent] == JSONPathNodes.unknown {
                next = parent
                parent = unsafe Int(paths[next].parent)
            }
            let node = unsafe parent > 0 ? Int(known[parent]) : root
            if unsafe paths[next].start >= 0 {
                findMembers(of: parent, at: node)
            } else {
                let found = unsafe element(Int(paths[next].count), of: node)
                unsafe known[next] = Int32(truncatingIfNeeded: found)
            }
        }
        return unsafe Int(known[path])
    }

    /// The element at an index; -1 when there is none.
    private func element(_ index: Int, of node: Int) -> Int {
        guard node >= 0 else { return -1 }
        precondition(unsafe node < nodes.count, "a node of another text")
        guard unsafe nodes[node].kind == .array else { return -1 }
        let end = unsafe Int(nodes[node].next)
        // The children of a node are always on the tape.
        var child = node &+ 1
        var rest = index
        while child < end {
            if rest == 0 { return child }
            rest -= 1
            child = unsafe Int(nodes[child].next)
        }
        return -1
    }

    /// Finds all members of one object that paths refer to, in a single pass: the last one if
    /// several have the same name.
    @inline(__always)
    private func findMembers(of parent: Int, at node: Int) {
        let first = unsafe Int(paths[parent].firstMember)
        var path = first
        while path > 0 {
            unsafe known[path] = -1
            path = unsafe Int(paths[path].nextMember)
        }
        guard node >= 0 else { return }
        precondition(unsafe node < nodes.count, "a node of another text")
        guard unsafe nodes[node].kind == .object else { return }
        precondition(unsafe nodes[node].end <= text.count, "the bytes of another text")
        unsafe findMembers(
            from: node &+ 1, to: Int(nodes[node].next), first, nodes,
            names.slots(of: parent), paths, known)
    }

    /// Walks through the members of an object, with what each of them needs in registers.
    @inline(__always)
    private func findMembers(
        from start: Int, to end: Int, _ first: Int, _ nodes: UnsafeBufferPointer<JSONNode>,
        _ slots: UnsafeBufferPointer<Int32>, _ paths: UnsafeBufferPointer<JSONPathTable.Path>,
        _ known: UnsafeMutableBufferPointer<Int32>
    ) {
        guard let base = unsafe text.baseAddress else { return }
        let late = unsafe JSONPathNames.late(in: text)
        // The children of a node are always on the tape.
        var child = start
        while child < end {
            let path = unsafe names.path(named: child, first, base, late, nodes, slots, paths)
            if path > 0 { unsafe known[path] = Int32(truncatingIfNeeded: child &+ 1) }
            child = unsafe Int(nodes[child &+ 1].next)
        }
    }
}
