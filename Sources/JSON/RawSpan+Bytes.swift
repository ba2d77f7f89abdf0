extension RawSpan {
    /// The byte at an offset.
    @inlinable public func byte(at offset: Int) -> UInt8 {
        precondition(offset >= 0 && offset < byteCount, "an offset within the bytes")
        return unsafe unsafeLoad(fromUncheckedByteOffset: offset, as: UInt8.self)
    }

    /// True when it contains the same bytes as an array.
    public func equals(_ bytes: [UInt8]) -> Bool {
        guard byteCount == bytes.count else { return false }
        return unsafe withUnsafeBytes { unsafe $0.elementsEqual(bytes) }
    }
}
