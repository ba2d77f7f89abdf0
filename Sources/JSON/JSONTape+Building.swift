/// What writes a JSON text can note its values on a tape at once, so that nobody has to read it.
extension JSONTape {
    /// Removes all nodes, for those of a text that is about to be written.
    @inlinable public mutating func removeAll() {
        used = 0
        isCompact = true
    }

    /// Notes a scalar from its first byte in the text up to the byte behind it; strings have
    /// quotation marks there.
    @inlinable public mutating func append(
        _ kind: JSONKind, from start: Int, to end: Int, hasEscapes: Bool = false
    ) {
        if hasEscapes { isCompact = false }
        let mark = kind == .string ? 1 : 0
        append(
            JSONNode(
                start: UInt32(truncatingIfNeeded: start &+ mark),
                end: UInt32(truncatingIfNeeded: end &- mark),
                next: UInt32(truncatingIfNeeded: used &+ 1), kind: kind, hasEscapes: hasEscapes))
    }

    /// Notes the bracket at the start of an array or object; its node.
    @inlinable @inline(__always)
    public mutating func open(_ kind: JSONKind, at start: Int) -> Int {
        append(kind, from: start, to: start)
        return used &- 1
    }

    /// Notes that the text has the last bracket of an array or object in front of this offset.
    @inlinable @inline(__always)
    public mutating func close(_ node: Int, at end: Int) {
        precondition(node >= 0 && node < used, "a node of another text")
        unsafe nodes[node].end = UInt32(truncatingIfNeeded: end)
        unsafe nodes[node].next = UInt32(truncatingIfNeeded: used)
    }

    @inlinable mutating func append(_ node: JSONNode) {
        if used == capacity { grow() }
        unsafe (nodes + used).initialize(to: node)
        used &+= 1
    }

    @inline(never) @usableFromInline mutating func grow() {
        let larger = UnsafeMutablePointer<JSONNode>.allocate(capacity: capacity * 2)
        unsafe larger.initialize(from: nodes, count: used)
        unsafe nodes.deallocate()
        unsafe nodes = unsafe larger
        capacity *= 2
    }
}
