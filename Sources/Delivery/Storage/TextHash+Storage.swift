extension TextHash {
    /// Adds a string and its length, so that different sequences of strings have different hashes.
    public mutating func add(_ bytes: RawSpan) {
        let count = bytes.byteCount
        var place = 0
        while place &+ 8 <= count {
            add(unsafe bytes.unsafeLoadUnaligned(fromUncheckedByteOffset: place, as: UInt64.self))
            place &+= 8
        }
        var rest: UInt64 = 0
        while place < count {
            let byte = unsafe bytes.unsafeLoad(fromUncheckedByteOffset: place, as: UInt8.self)
            rest = rest << 8 | UInt64(byte)
            place &+= 1
        }
        // The rest has fewer than eight bytes, so the highest byte is free.
        add(rest)
        add(UInt64(count))
    }

    /// Adds an array of bytes.
    public mutating func add(_ bytes: [UInt8]) { add(unsafe bytes.span.bytes) }
}
