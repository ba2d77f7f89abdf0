extension [UInt8] {
    /// Appends a string's content, unescaped.
    public mutating func appendText(
        of node: Int, on tape: borrowing JSONTape, in bytes: RawSpan
    ) {
        let entry = tape[node]
        guard entry.kind == .string else { return }
        unsafe bytes.withUnsafeBytes {
            unsafe JSONPieces.ofText(entry, in: $0) { unsafe append(contentsOf: $0) }
        }
    }

    /// Appends the beginning of a string's content, unescaped: what about `limit` bytes of the text
    /// contain. Returns true when that is all of it.
    public mutating func appendText(
        of node: Int, on tape: borrowing JSONTape, in bytes: RawSpan, atMost limit: Int
    ) -> Bool {
        var entry = tape[node]
        guard entry.kind == .string, Int(entry.end - entry.start) > limit else {
            appendText(of: node, on: tape, in: bytes)
            return true
        }
        return unsafe bytes.withUnsafeBytes {
            let whole = Int(entry.end)
            let inside = unsafe UnsafeRawBufferPointer(rebasing: $0[Int(entry.start)..<whole])
            entry.end =
                unsafe entry.start
                + UInt32(JSONText.end(of: inside, atMost: limit, hasEscapes: entry.hasEscapes))
            unsafe JSONPieces.ofText(entry, in: $0) { unsafe append(contentsOf: $0) }
            return Int(entry.end) == whole
        }
    }

    /// Appends a string's content as JSON: without quotation marks, with only the required escapes.
    public mutating func appendStringContent(
        of node: Int, on tape: borrowing JSONTape, in bytes: RawSpan
    ) {
        let entry = tape[node]
        guard entry.kind == .string else { return }
        unsafe bytes.withUnsafeBytes {
            unsafe JSONPieces.ofContent(entry, in: $0) { unsafe append(contentsOf: $0) }
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
