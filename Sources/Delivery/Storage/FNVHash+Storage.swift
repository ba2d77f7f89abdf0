extension FNVHash {
    /// Adds a text that is lent, and its end.
    public mutating func add(_ bytes: RawSpan) {
        for index in 0..<bytes.byteCount {
            add(unsafe bytes.unsafeLoad(fromUncheckedByteOffset: index, as: UInt8.self))
        }
        add(0xFF)
    }
}
