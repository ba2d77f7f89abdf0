/// An entry of a block's table of headers.
struct StoredHeader {
    static let size = 12
    var nameStart: UInt32
    var valueStart: UInt32
    /// `UInt32.max` for a null value.
    var valueCount: UInt32

    func store(at index: Int, of start: UnsafeMutableRawPointer) {
        let position = unsafe start.advanced(by: MemoryLayout<UInt32>.size + index * Self.size)
        unsafe position.storeBytes(of: nameStart, as: UInt32.self)
        unsafe position.storeBytes(of: valueStart, toByteOffset: 4, as: UInt32.self)
        unsafe position.storeBytes(of: valueCount, toByteOffset: 8, as: UInt32.self)
    }

    static func load(at index: Int, of start: UnsafeMutableRawPointer) -> StoredHeader {
        let position = unsafe start.advanced(by: MemoryLayout<UInt32>.size + index * size)
        return unsafe StoredHeader(
            nameStart: position.load(as: UInt32.self),
            valueStart: position.load(fromByteOffset: 4, as: UInt32.self),
            valueCount: position.load(fromByteOffset: 8, as: UInt32.self))
    }
}

func headerInBlock(_ start: UnsafeMutableRawPointer, _ index: Int) -> RecordHeader? {
    guard unsafe index < start.load(as: UInt32.self) else { return nil }
    let entry = unsafe StoredHeader.load(at: index, of: start)
    let name = unsafe UnsafeRawBufferPointer(
        start: start.advanced(by: Int(entry.nameStart)),
        count: Int(entry.valueStart - entry.nameStart))
    guard entry.valueCount != .max else { return unsafe RecordHeader(name: name, value: nil) }
    return unsafe RecordHeader(
        name: name,
        value: UnsafeRawBufferPointer(
            start: start.advanced(by: Int(entry.valueStart)), count: Int(entry.valueCount)))
}
