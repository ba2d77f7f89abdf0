extension Record {
    /// What a copy takes in bytes, and how many headers it has, without those whose names begin
    /// with `prefix`.
    func storedSize(leavingOut prefix: StaticString?) -> (bytes: Int, headers: UInt32) {
        var bytes = MemoryLayout<UInt32>.size + byteCount
        var headers: UInt32 = 0
        forEachHeader { name, value, _ in
            guard !name.starts(with: prefix) else { return }
            bytes += StoredHeader.size + name.byteCount + value.byteCount
            headers += 1
        }
        return (bytes, headers)
    }
}

extension RawSpan {
    /// True when the bytes begin with a text that is ASCII; false for none.
    func starts(with prefix: StaticString?) -> Bool {
        guard let prefix, byteCount >= prefix.utf8CodeUnitCount else { return false }
        return unsafe withUnsafeBytes { bytes in
            unsafe bytes.prefix(prefix.utf8CodeUnitCount).elementsEqual(
                UnsafeRawBufferPointer(start: prefix.utf8Start, count: prefix.utf8CodeUnitCount))
        }
    }
}
