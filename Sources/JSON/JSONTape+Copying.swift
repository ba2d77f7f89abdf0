extension [UInt8] {
    /// Appends a string's text with its escapes undone.
    public mutating func appendText(
        of node: Int, on tape: borrowing JSONTape, in bytes: RawSpan
    ) {
        let place = tape[node]
        guard place.kind == .string else { return }
        unsafe bytes.withUnsafeBytes {
            let inside = unsafe UnsafeRawBufferPointer(
                rebasing: $0[Int(place.start)..<Int(place.end)])
            if place.hasEscapes {
                unsafe JSONText.decode(inside) { unsafe append(contentsOf: $0) }
            } else {
                unsafe append(contentsOf: inside)
            }
        }
    }

    /// Appends the inside of a string as JSON: without marks, only what must be escaped is.
    public mutating func appendStringContent(
        of node: Int, on tape: borrowing JSONTape, in bytes: RawSpan
    ) {
        let place = tape[node]
        guard place.kind == .string else { return }
        unsafe bytes.withUnsafeBytes { unsafe appendContent(place, in: $0) }
    }

    /// Appends a whole value as JSON without spaces; numbers stay as they are written.
    public mutating func appendJSON(
        of node: Int, on tape: borrowing JSONTape, in bytes: RawSpan
    ) {
        let place = tape[node]
        unsafe bytes.withUnsafeBytes { text in
            if place.kind == .string {
                append(UInt8(ascii: "\""))
                unsafe appendContent(place, in: text)
                return append(UInt8(ascii: "\""))
            }
            if place.kind == .number || place.kind == .boolean {
                return unsafe append(
                    contentsOf: UnsafeRawBufferPointer(
                        rebasing: text[Int(place.start)..<Int(place.end)]))
            }
            var position = Int(place.start)
            for inner in node + 1..<Int(place.next) {
                let token = tape[inner]
                guard token.kind == .string else { continue }
                // Between two strings there are only tokens that hold no space.
                unsafe appendWithoutSpace(text, position..<Int(token.start))
                unsafe appendContent(token, in: text)
                position = Int(token.end)
            }
            unsafe appendWithoutSpace(text, position..<Int(place.end))
        }
    }

    private mutating func appendContent(_ node: JSONNode, in text: UnsafeRawBufferPointer) {
        let inside = unsafe UnsafeRawBufferPointer(
            rebasing: text[Int(node.start)..<Int(node.end)])
        if node.hasEscapes {
            unsafe JSONText.decode(inside) { unsafe appendEscaped($0) }
        } else {
            unsafe append(contentsOf: inside)
        }
    }

    private mutating func appendWithoutSpace(
        _ text: UnsafeRawBufferPointer, _ range: Range<Int>
    ) {
        var start = range.lowerBound
        for index in range where unsafe text[index] <= 0x20 {
            if start < index {
                unsafe append(contentsOf: UnsafeRawBufferPointer(rebasing: text[start..<index]))
            }
            start = index + 1
        }
        if start < range.upperBound {
            unsafe append(
                contentsOf: UnsafeRawBufferPointer(rebasing: text[start..<range.upperBound]))
        }
    }
}
