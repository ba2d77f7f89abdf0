/// Looks up paths of a table in a text, and remembers where they lead.
///
/// Apart from the tape, and in one place: what it needs are more values than can be passed in
/// registers.
@safe struct JSONPathWalk {
    private typealias Path = JSONPathTable.Path

    let text: UnsafeRawBufferPointer
    let names: UnsafeRawBufferPointer
    let paths: UnsafeBufferPointer<JSONPathTable.Path>
    let slots: UnsafeBufferPointer<Int32>
    let nodes: UnsafeBufferPointer<JSONNode>
    let known: UnsafeMutableBufferPointer<Int32>

    /// Where a path ends; -1 for nowhere.
    @inline(never)
    func end(of path: Int, from root: Int) -> Int {
        while unsafe known[path] == JSONPathPlaces.unknown {
            var next = path
            var parent = unsafe Int(paths[next].parent)
            while parent > 0, unsafe known[parent] == JSONPathPlaces.unknown {
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
            slots.extracting(parent &* Path.slotCount..<(parent &+ 1) &* Path.slotCount), paths,
            known)
    }

    /// Walks through the members of an object, with what each of them needs in registers.
    @inline(__always)
    private func findMembers(
        from start: Int, to end: Int, _ first: Int, _ nodes: UnsafeBufferPointer<JSONNode>,
        _ slots: UnsafeBufferPointer<Int32>, _ paths: UnsafeBufferPointer<JSONPathTable.Path>,
        _ known: UnsafeMutableBufferPointer<Int32>
    ) {
        guard let base = unsafe text.baseAddress else { return }
        // From there on fewer than eight bytes can be read.
        let late = unsafe text.count &- 8
        // The children of a node are always on the tape.
        var child = start
        while child < end {
            let begin = unsafe Int(nodes[child].start)
            var path: Int
            if begin <= late, unsafe !nodes[child].hasEscapes {
                let word = unsafe UInt64(
                    littleEndian: (base + begin).loadUnaligned(as: UInt64.self))
                let length = unsafe nodes[child].end &- UInt32(truncatingIfNeeded: begin)
                path = unsafe Int(slots[Path.slot(word: word, length: length)])
                while path > 0 {
                    let differs = unsafe (word ^ paths[path].start8) & paths[path].mask8 != 0
                    if !differs, unsafe UInt32(bitPattern: paths[path].count) == length,
                        length <= 8 || isName(of: path, begin)
                    {
                        break
                    }
                    path = unsafe Int(paths[path].nextAlike)
                }
            } else {
                path = self.path(named: child, from: first)
            }
            if path > 0 { unsafe known[path] = Int32(truncatingIfNeeded: child &+ 1) }
            child = unsafe Int(nodes[child &+ 1].next)
        }
    }

    /// True when the long name that a path ends in stands at a place in the text.
    @inline(never)
    private func isName(of path: Int, _ start: Int) -> Bool {
        let name = unsafe name(of: path)
        return unsafe Bytes.equal(
            UnsafeRawBufferPointer(rebasing: text[start..<start &+ name.count]), name)
    }

    /// The path, from `first` on, that ends in a name with escapes, or close to the end of the
    /// text; 0 for none.
    @inline(never)
    private func path(named child: Int, from first: Int) -> Int {
        var path = first
        while path > 0 {
            if unsafe nodes[child].isText(name(of: path), in: text) { return path }
            path = unsafe Int(paths[path].nextMember)
        }
        return 0
    }

    /// The name of the member that a path ends in.
    @inline(__always)
    private func name(of path: Int) -> UnsafeRawBufferPointer {
        let start = unsafe Int(paths[path].start)
        return unsafe UnsafeRawBufferPointer(
            rebasing: names[start..<start &+ Int(paths[path].count)])
    }
}
