extension [UInt8] {
    /// Appends a string's content, unescaped.
    public mutating func appendText(
        of node: Int, on tape: borrowing JSONTape, in bytes: RawSpan
    ) {
        let place = tape[node]
        guard place.kind == .string else { return }
        unsafe bytes.withUnsafeBytes {
            unsafe JSONPieces.ofText(place, in: $0) { unsafe append(contentsOf: $0) }
        }
    }

    /// Appends the beginning of a string's content, unescaped: what about `limit` bytes of the text
    /// contain. Returns true when that is all of it.
    public mutating func appendText(
        of node: Int, on tape: borrowing JSONTape, in bytes: RawSpan, atMost limit: Int
    ) -> Bool {
        var place = tape[node]
        guard place.kind == .string, Int(place.end - place.start) > limit else {
            appendText(of: node, on: tape, in: bytes)
            return true
        }
        return unsafe bytes.withUnsafeBytes {
            let whole = Int(place.end)
            let inside = unsafe UnsafeRawBufferPointer(rebasing: $0[Int(place.start)..<whole])
            place.end =
                unsafe place.start
                + UInt32(JSONText.end(of: inside, atMost: limit, hasEscapes: place.hasEscapes))
            unsafe JSONPieces.ofText(place, in: $0) { unsafe append(contentsOf: $0) }
            return Int(place.end) == whole
        }
    }

    /// Appends a string's content as JSON: without quotation marks, with only the required escapes.
    public mutating func appendStringContent(
        of node: Int, on tape: borrowing JSONTape, in bytes: RawSpan
    ) {
        let place = tape[node]
        guard place.kind == .string else { return }
        unsafe bytes.withUnsafeBytes {
            unsafe JSONPieces.ofContent(place, in: $0) { unsafe append(contentsOf: $0) }
        }
    }

    /// Appends a complete value as JSON without spaces; numbers stay as written.
    public mutating func appendJSON(
        of node: Int, on tape: borrowing JSONTape, in bytes: RawSpan
    ) {
        unsafe bytes.withUnsafeBytes {
            unsafe JSONPieces.ofValue(node, on: tape, in: $0) { unsafe append(contentsOf: $0) }
        }
    }
}
