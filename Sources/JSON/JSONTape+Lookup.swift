extension JSONTape {
    /// The value of a member of an object; the last one if several have the same name.
    public func member(_ name: String, of node: Int, in bytes: RawSpan) -> Int? {
        var name = name
        let found = name.withUTF8 { name in
            unsafe bytes.withUnsafeBytes {
                unsafe member(UnsafeRawBufferPointer(name), of: node, in: $0)
            }
        }
        return found < 0 ? nil : found
    }

    /// The value of the member whose name is a part of `text`; the last one if several have it.
    public func member(
        _ text: [UInt8], from start: Int, to end: Int, of node: Int, in bytes: RawSpan
    ) -> Int? {
        let found = unsafe text.withUnsafeBytes { text in
            unsafe bytes.withUnsafeBytes {
                unsafe member(.init(rebasing: text[start..<end]), of: node, in: $0)
            }
        }
        return found < 0 ? nil : found
    }

    /// The element of an array at an index; nil when there is none.
    public func element(at index: Int, of node: Int) -> Int? {
        guard index >= 0 else { return nil }
        let found = element(index, of: node)
        return found < 0 ? nil : found
    }

    /// True when a string's content is exactly a part of `text`.
    public func isText(
        _ node: Int, _ text: [UInt8], from start: Int, to end: Int, in bytes: RawSpan
    ) -> Bool {
        let entry = self[node]
        guard entry.kind == .string else { return false }
        precondition(entry.end <= bytes.byteCount, "the bytes of another text")
        return unsafe bytes.withUnsafeBytes { bytes in
            unsafe text.withUnsafeBytes {
                unsafe entry.isText(.init(rebasing: $0[start..<end]), in: bytes)
            }
        }
    }

    /// True when a string's content is exactly `text`.
    public func isText(_ node: Int, _ text: [UInt8], in bytes: RawSpan) -> Bool {
        isText(node, text, from: 0, to: text.count, in: bytes)
    }

    /// True when a value that is not a string is written exactly as `token`.
    public func isToken(_ node: Int, _ token: [UInt8], in bytes: RawSpan) -> Bool {
        let entry = self[node]
        guard entry.kind != .string else { return false }
        return bytes.extracting(Int(entry.start)..<Int(entry.end)).equals(token)
    }

    /// True for a boolean that is `true`.
    public func isTrue(_ node: Int, in bytes: RawSpan) -> Bool {
        let entry = self[node]
        guard entry.kind == .boolean else { return false }
        return bytes.byte(at: Int(entry.start)) == UInt8(ascii: "t")
    }

    /// The content of a string.
    public func text(of node: Int, in bytes: RawSpan) -> String? {
        guard self[node].kind == .string else { return nil }
        var text: [UInt8] = []
        text.appendText(of: node, on: self, in: bytes)
        return String(decoding: text, as: UTF8.self)
    }

    /// The value of a token without fraction and exponent, if it fits.
    public func integer(of node: Int, in bytes: RawSpan) -> Int64? {
        let entry = self[node]
        guard entry.kind == .number else { return nil }
        return unsafe bytes.withUnsafeBytes {
            unsafe JSONNumber.integer(.init(rebasing: $0[Int(entry.start)..<Int(entry.end)]))
        }
    }

    /// The element at an index; -1 when there is none.
    @inline(__always)
    func element(_ index: Int, of node: Int) -> Int {
        let array = self[node]
        guard array.kind == .array else { return -1 }
        // The children of a node are always on the tape.
        var child = node &+ 1
        var rest = index
        while child < array.next {
            if rest == 0 { return child }
            rest -= 1
            child = unsafe Int(nodes[child].next)
        }
        return -1
    }

    /// The value of the last member with a name; -1 when there is none.
    @inline(__always)
    func member(
        _ name: UnsafeRawBufferPointer, of node: Int, in bytes: UnsafeRawBufferPointer
    ) -> Int {
        let object = self[node]
        guard object.kind == .object else { return -1 }
        precondition(object.end <= bytes.count, "the bytes of another text")
        var found = -1
        var child = node &+ 1
        while child < object.next {
            let entry = unsafe nodes[child]
            // The length distinguishes most names without a backslash.
            if Int(entry.end &- entry.start) == name.count || entry.hasEscapes,
                unsafe entry.isText(name, in: bytes)
            {
                found = child &+ 1
            }
            child = unsafe Int(nodes[child &+ 1].next)
        }
        return found
    }
}

extension JSONNode {
    /// The caller must have checked that the string is within `bytes`.
    @inline(__always)
    func isText(_ text: UnsafeRawBufferPointer, in bytes: UnsafeRawBufferPointer) -> Bool {
        if hasEscapes {
            // An escape has at most six characters for each byte, and never less than one.
            let count = Int(end &- start)
            guard count >= text.count, count <= text.count &* 6 else { return false }
            return unsafe isEscapedText(text, in: bytes)
        }
        return unsafe Bytes.equal(
            text, UnsafeRawBufferPointer(rebasing: bytes[Int(start)..<Int(end)]))
    }

    @inline(never)
    private func isEscapedText(
        _ text: UnsafeRawBufferPointer, in bytes: UnsafeRawBufferPointer
    ) -> Bool {
        var position = 0
        var isEqual = true
        let inside = unsafe UnsafeRawBufferPointer(rebasing: bytes[Int(start)..<Int(end)])
        unsafe JSONText.decode(inside) { piece in
            for index in piece.indices where isEqual {
                isEqual = unsafe position < text.count && piece[index] == text[position]
                position += 1
            }
        }
        return isEqual && position == text.count
    }
}
