/// Writes a record into a block: header count, header table, header bytes, key, value.
@safe struct BlockWriter {
    private let start: UnsafeMutableRawPointer
    private(set) var offset = 0

    init(start: UnsafeMutableRawPointer) { unsafe self.start = unsafe start }

    /// Appends bytes and returns their number.
    mutating func append(_ bytes: RawSpan) -> Int {
        unsafe bytes.withUnsafeBytes { source in
            guard let address = source.baseAddress else { return }
            unsafe start.advanced(by: offset).copyMemory(from: address, byteCount: source.count)
        }
        offset += bytes.byteCount
        return bytes.byteCount
    }

    /// Writes the given number of headers.
    mutating func writeHeaders(
        _ count: UInt32, of record: borrowing Record, leavingOut prefix: StaticString?
    ) {
        unsafe start.storeBytes(of: count, as: UInt32.self)
        offset = MemoryLayout<UInt32>.size + Int(count) * StoredHeader.size
        // Iterating over no headers would still cost more than the rest of the copy.
        guard count > 0 else { return }
        var index = 0
        record.forEachHeader { name, value, isNull in
            guard !name.starts(with: prefix) else { return }
            let nameStart = UInt32(offset)
            _ = append(name)
            let valueStart = UInt32(offset)
            _ = append(value)
            unsafe StoredHeader(
                nameStart: nameStart, valueStart: valueStart,
                valueCount: isNull ? .max : UInt32(value.byteCount)
            ).store(at: index, of: start)
            index += 1
        }
    }
}
