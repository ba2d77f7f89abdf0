extension TextHash {
    /// Adds a text and its length, so that two texts are not taken for two others.
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
        // Fewer than eight bytes leave the highest one free.
        add(rest)
        add(UInt64(count))
    }

    /// Adds the text of an array.
    public mutating func add(_ bytes: [UInt8]) { add(unsafe bytes.span.bytes) }
}
