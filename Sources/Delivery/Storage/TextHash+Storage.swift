extension TextHash {
    /// Adds a string and its length, so that different sequences of strings have different hashes.
    public mutating func add(_ bytes: RawSpan) {
        let count = bytes.byteCount
        var position = 0
        while position &+ 8 <= count {
            add(
                unsafe bytes.unsafeLoadUnaligned(fromUncheckedByteOffset: position, as: UInt64.self)
            )
            position &+= 8
        }
        var rest: UInt64 = 0
        while position < count {
            let byte = unsafe bytes.unsafeLoad(fromUncheckedByteOffset: position, as: UInt8.self)
            rest = rest << 8 | UInt64(byte)
            position &+= 1
        }
        // The rest has fewer than eight bytes, so the highest byte is free.
        add(rest)
        add(UInt64(count))
    }

    /// Adds an array of bytes.
    public mutating func add(_ bytes: [UInt8]) { add(unsafe bytes.span.bytes) }
}
