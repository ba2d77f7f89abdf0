extension JSONTape {
    /// Reads a JSON text in an array.
    public mutating func read(
        _ bytes: [UInt8], replacesLoneSurrogates: Bool = false
    ) throws(JSONError) {
        try read(unsafe bytes.span.bytes, replacesLoneSurrogates: replacesLoneSurrogates)
    }

    /// The value of a member of an object; the last one if several have the same name.
    public func member(_ name: String, of node: Int, in bytes: [UInt8]) -> Int? {
        member(name, of: node, in: unsafe bytes.span.bytes)
    }

    /// The value at a path starting at `node`; nil when a step leads nowhere.
    public func find(
        _ path: Int, of table: borrowing JSONPathTable, from node: Int = 0, in bytes: [UInt8]
    ) -> Int? {
        find(path, of: table, from: node, in: unsafe bytes.span.bytes)
    }

    /// True when a value that is not a string is written exactly as `token`.
    public func isToken(_ node: Int, _ token: [UInt8], in bytes: [UInt8]) -> Bool {
        isToken(node, token, in: unsafe bytes.span.bytes)
    }

    /// The content of a string.
    public func text(of node: Int, in bytes: [UInt8]) -> String? {
        text(of: node, in: unsafe bytes.span.bytes)
    }

    /// A value as it is written, cut after 40 characters.
    public func excerpt(of node: Int, in bytes: [UInt8]) -> String {
        let value = self[node]
        let text = String(decoding: bytes[Int(value.start)..<Int(value.end)], as: UTF8.self)
        let shown = text.count > 40 ? text.prefix(40) + "…" : text
        return value.kind == .string ? "\"\(shown)\"" : shown
    }

    /// The value of a token without fraction and exponent, if it fits.
    public func integer(of node: Int, in bytes: [UInt8]) -> Int64? {
        integer(of: node, in: unsafe bytes.span.bytes)
    }
}

extension [UInt8] {
    /// Calls `body` with the bytes.
    public func withBytes<Result>(_ body: (RawSpan) -> Result) -> Result {
        body(unsafe span.bytes)
    }

    /// Appends a complete value as JSON without spaces; numbers stay as written.
    public mutating func appendJSON(
        of node: Int, on tape: borrowing JSONTape, in bytes: [UInt8]
    ) {
        appendJSON(of: node, on: tape, in: unsafe bytes.span.bytes)
    }
}
