extension [UInt8] {
    /// Appends a string's text with its escapes undone.
    public mutating func appendText(
        of node: Int, on tape: borrowing JSONTape, in bytes: RawSpan
    ) {
        let place = tape[node]
        guard place.kind == .string else { return }
        unsafe bytes.withUnsafeBytes {
            unsafe JSONPieces.ofText(place, in: $0) { unsafe append(contentsOf: $0) }
        }
    }

    /// Appends the inside of a string as JSON: without marks, only what must be escaped is.
    public mutating func appendStringContent(
        of node: Int, on tape: borrowing JSONTape, in bytes: RawSpan
    ) {
        let place = tape[node]
        guard place.kind == .string else { return }
        unsafe bytes.withUnsafeBytes {
            unsafe JSONPieces.ofContent(place, in: $0) { unsafe append(contentsOf: $0) }
        }
    }

    /// Appends a whole value as JSON without spaces; numbers stay as they are written.
    public mutating func appendJSON(
        of node: Int, on tape: borrowing JSONTape, in bytes: RawSpan
    ) {
        unsafe bytes.withUnsafeBytes {
            unsafe JSONPieces.ofValue(node, on: tape, in: $0) { unsafe append(contentsOf: $0) }
        }
    }
}
