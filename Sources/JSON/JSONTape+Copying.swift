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
