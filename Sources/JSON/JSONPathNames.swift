/// Recognises the names in a text that the paths of a table end in.
@safe struct JSONPathNames {
    private typealias Path = JSONPathTable.Path

    let text: UnsafeRawBufferPointer
    let names: UnsafeRawBufferPointer
    let paths: UnsafeBufferPointer<JSONPathTable.Path>
    let slots: UnsafeBufferPointer<Int32>
    let nodes: UnsafeBufferPointer<JSONNode>

    /// Visits the members of an object that extend a path; the object's nodes must be on the tape.
    func forEachMember(
        from start: Int, to end: Int, extending parent: Int, _ body: (Int, Int) -> Bool
    ) {
        guard start < end, let base = unsafe text.baseAddress else { return }
        precondition(unsafe nodes[start &- 1].end <= text.count, "the bytes of another text")
        let first = unsafe Int(paths[parent].firstMember)
        let slots = unsafe slots(of: parent)
        let late = unsafe Self.late(in: text)
        var child = start
        while child < end {
            let path = unsafe path(named: child, first, base, late, nodes, slots, paths)
            guard path <= 0 || body(path, child &+ 1) else { return }
            child = unsafe Int(nodes[child &+ 1].next)
        }
    }

    /// The first byte of a text from which fewer than eight can be read.
    @inline(__always)
    static func late(in text: UnsafeRawBufferPointer) -> Int { text.count &- 8 }

    /// The slots of the paths that extend one by a member.
    @inline(__always)
    func slots(of parent: Int) -> UnsafeBufferPointer<Int32> {
        unsafe slots.extracting(parent &* Path.slotCount..<(parent &+ 1) &* Path.slotCount)
    }

    /// The path that extends another one by the member with the name at a node; 0 for none.
    ///
    /// What an object's members have in common is passed in registers; `first` is the newest path
    /// that extends the other one.
    @inline(__always)
    func path(
        named child: Int, _ first: Int, _ base: UnsafeRawPointer, _ late: Int,
        _ nodes: UnsafeBufferPointer<JSONNode>, _ slots: UnsafeBufferPointer<Int32>,
        _ paths: UnsafeBufferPointer<JSONPathTable.Path>
    ) -> Int {
        let begin = unsafe Int(nodes[child].start)
        guard begin <= late, unsafe !nodes[child].hasEscapes else {
            return path(named: child, from: first)
        }
        let word = unsafe UInt64(littleEndian: (base + begin).loadUnaligned(as: UInt64.self))
        let length = unsafe nodes[child].end &- UInt32(truncatingIfNeeded: begin)
        var path = unsafe Int(slots[Path.slot(word: word, length: length)])
        while path > 0 {
            let differs = unsafe (word ^ paths[path].start8) & paths[path].mask8 != 0
            if !differs, unsafe UInt32(bitPattern: paths[path].count) == length,
                length <= 8 || isName(of: path, begin)
            {
                break
            }
            path = unsafe Int(paths[path].nextAlike)
        }
        return path
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
