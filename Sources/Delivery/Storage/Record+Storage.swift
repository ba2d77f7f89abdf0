extension Record {
    /// The size of a copy in bytes, and its number of headers, without headers whose names start
    /// with `prefix`: without any header, and without a look at them, if that is empty.
    func storedSize(leavingOut prefix: StaticString?) -> (bytes: Int, headers: UInt32) {
        var bytes = MemoryLayout<UInt32>.size + byteCount
        var headers: UInt32 = 0
        if let prefix, prefix.utf8CodeUnitCount == 0 { return (bytes, headers) }
        forEachHeader { name, value, _ in
            guard !name.starts(with: prefix) else { return }
            bytes += StoredHeader.size + name.byteCount + value.byteCount
            headers += 1
        }
        return (bytes, headers)
    }
}

extension RawSpan {
    /// True when the bytes start with an ASCII string; false without one.
    func starts(with prefix: StaticString?) -> Bool {
        guard let prefix, byteCount >= prefix.utf8CodeUnitCount else { return false }
        return unsafe withUnsafeBytes { bytes in
            unsafe bytes.prefix(prefix.utf8CodeUnitCount).elementsEqual(
                UnsafeRawBufferPointer(start: prefix.utf8Start, count: prefix.utf8CodeUnitCount))
        }
    }
}
