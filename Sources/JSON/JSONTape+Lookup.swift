extension JSONTape {
    /// The value at the end of a path that begins at `node`; nil when a step leads nowhere.
    public func find(
        _ path: Int, of table: borrowing JSONPathTable, from node: Int = 0, in bytes: RawSpan
    ) -> Int? {
        unsafe bytes.withUnsafeBytes { text in
            unsafe table.names.withUnsafeBytes { names in
                var node = node
                for index in table.paths[path] {
                    let step = table.steps[Int(index)]
                    let next: Int
                    if step.start < 0 {
                        next = element(Int(step.count), of: node)
                    } else {
                        let range = Int(step.start)..<Int(step.start + step.count)
                        next = unsafe member(.init(rebasing: names[range]), of: node, in: text)
                    }
                    guard next >= 0 else { return nil }
                    node = next
                }
                return node
            }
        }
    }

    /// The value of an object's member; of several with one name the last.
    public func member(_ name: String, of node: Int, in bytes: RawSpan) -> Int? {
        var name = name
        let found = name.withUTF8 { name in
            unsafe bytes.withUnsafeBytes {
                unsafe member(UnsafeRawBufferPointer(name), of: node, in: $0)
            }
        }
        return found < 0 ? nil : found
    }

    /// True when a string's text is exactly a part of `text`.
    public func isText(
        _ node: Int, _ text: [UInt8], from start: Int, to end: Int, in bytes: RawSpan
    ) -> Bool {
        let place = self[node]
        guard place.kind == .string else { return false }
        return unsafe bytes.withUnsafeBytes { bytes in
            unsafe text.withUnsafeBytes {
                unsafe isText(place, .init(rebasing: $0[start..<end]), in: bytes)
            }
        }
    }

    /// True for a boolean that is `true`.
    public func isTrue(_ node: Int, in bytes: RawSpan) -> Bool {
        let place = self[node]
        guard place.kind == .boolean else { return false }
        return bytes.byte(at: Int(place.start)) == UInt8(ascii: "t")
    }

    /// The text of a string.
    public func text(of node: Int, in bytes: RawSpan) -> String? {
        guard self[node].kind == .string else { return nil }
        var text: [UInt8] = []
        text.appendText(of: node, on: self, in: bytes)
        return String(decoding: text, as: UTF8.self)
    }

    /// The number that a token without fraction and exponent writes, if it fits.
    public func integer(of node: Int, in bytes: RawSpan) -> Int64? {
        let place = self[node]
        guard place.kind == .number else { return nil }
        return unsafe bytes.withUnsafeBytes {
            unsafe JSONNumber.integer(.init(rebasing: $0[Int(place.start)..<Int(place.end)]))
        }
    }

    /// The element at an index, or -1.
    @inline(__always)
    private func element(_ index: Int, of node: Int) -> Int {
        let array = self[node]
        guard array.kind == .array else { return -1 }
        // What lies inside a node of the tape is on the tape.
        var child = node &+ 1
        var rest = index
        while child < array.next {
            if rest == 0 { return child }
            rest -= 1
            child = unsafe Int(nodes[child].next)
        }
        return -1
    }

    /// The value of the last member of a name, or -1.
    @inline(__always)
    private func member(
        _ name: UnsafeRawBufferPointer, of node: Int, in bytes: UnsafeRawBufferPointer
    ) -> Int {
        let object = self[node]
        guard object.kind == .object else { return -1 }
        precondition(object.end <= bytes.count, "the bytes of another text")
        var found = -1
        var child = node &+ 1
        while child < object.next {
            if unsafe isText(nodes[child], name, in: bytes) { found = child &+ 1 }
            child = unsafe Int(nodes[child &+ 1].next)
        }
        return found
    }

    @inline(__always)
    private func isText(
        _ node: JSONNode, _ text: UnsafeRawBufferPointer, in bytes: UnsafeRawBufferPointer
    ) -> Bool {
        if node.hasEscapes { return unsafe isEscapedText(node, text, in: bytes) }
        let count = text.count
        guard Int(node.end &- node.start) == count else { return false }
        precondition(node.end <= bytes.count, "the bytes of another text")
        guard let left = text.baseAddress, let start = bytes.baseAddress else { return count == 0 }
        return unsafe isEqual(left, start + Int(node.start), count)
    }

    @inline(__always)
    private func isEqual(_ left: UnsafeRawPointer, _ right: UnsafeRawPointer, _ count: Int) -> Bool
    {
        var index = 0
        while index &+ 8 <= count {
            guard
                unsafe left.loadUnaligned(fromByteOffset: index, as: UInt64.self)
                    == right.loadUnaligned(fromByteOffset: index, as: UInt64.self)
            else { return false }
            index &+= 8
        }
        while index < count {
            guard
                unsafe left.load(fromByteOffset: index, as: UInt8.self)
                    == right.load(fromByteOffset: index, as: UInt8.self)
            else { return false }
            index &+= 1
        }
        return true
    }

    @inline(never)
    private func isEscapedText(
        _ node: JSONNode, _ text: UnsafeRawBufferPointer, in bytes: UnsafeRawBufferPointer
    ) -> Bool {
        var position = 0
        var isEqual = true
        let inside = unsafe UnsafeRawBufferPointer(
            rebasing: bytes[Int(node.start)..<Int(node.end)])
        unsafe JSONText.decode(inside) { piece in
            for index in piece.indices where isEqual {
                isEqual = unsafe position < text.count && piece[index] == text[position]
                position += 1
            }
        }
        return isEqual && position == text.count
    }
}
