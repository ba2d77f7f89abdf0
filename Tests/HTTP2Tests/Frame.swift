/// One HTTP/2 frame, cut out of bytes.
struct Frame: Equatable {
    var kind: UInt8
    var flags: UInt8
    var stream: Int
    var payload: [UInt8]

    /// All complete frames at the beginning of bytes.
    static func all(in bytes: [UInt8]) -> [Frame] {
        var frames: [Frame] = []
        var start = 0
        while start + 9 <= bytes.count {
            let head = bytes[start..<start + 9].map { Int($0) }
            let length = head[0] << 16 | head[1] << 8 | head[2]
            let stream = head[5] << 24 | head[6] << 16 | head[7] << 8 | head[8]
            let end = min(start + 9 + length, bytes.count)
            frames.append(
                Frame(
                    kind: UInt8(head[3]), flags: UInt8(head[4]), stream: stream,
                    payload: Array(bytes[start + 9..<end])))
            start = end
        }
        return frames
    }

    /// The bytes of a frame.
    static func bytes(
        kind: UInt8, flags: UInt8 = 0, stream: UInt32 = 0, _ payload: [UInt8] = []
    ) -> [UInt8] {
        let length = payload.count
        return [UInt8(length >> 16), UInt8(length >> 8 & 255), UInt8(length & 255), kind, flags]
            + (0..<4).map { UInt8(truncatingIfNeeded: stream >> (24 - 8 * UInt32($0))) } + payload
    }

    /// The kinds of literal and indexed fields in a block, each with its index: what RFC 7541,
    /// 6, calls their representation.
    static func representations(in block: [UInt8]) -> [String] {
        var reader = BlockReader(block)
        var list: [String] = []
        while let next = reader.next() { list.append(next) }
        if list.first?.hasPrefix("table size") == true { list.removeFirst() }
        return list
    }
}

/// Reads the representations of fields in a block, not their values.
private struct BlockReader {
    private let block: [UInt8]
    private var position = 0

    init(_ block: [UInt8]) { self.block = block }

    mutating func next() -> String? {
        guard position < block.count else { return nil }
        let byte = block[position]
        if byte & 0x80 != 0 { return "indexed \(number(7))" }
        if byte & 0xE0 == 0x20 { return "table size \(number(5))" }
        let isIndexing = byte & 0xC0 == 0x40
        let index = number(isIndexing ? 6 : 4)
        if index == 0 { skipText() }
        skipText()
        let kind = isIndexing ? "indexing" : byte & 0x10 != 0 ? "never" : "without"
        return index == 0 ? "\(kind) new" : "\(kind) \(index)"
    }

    private mutating func number(_ bits: Int) -> Int {
        let mask = 1 << bits - 1
        var value = Int(block[position]) & mask
        position += 1
        guard value == mask else { return value }
        var shift = 0
        while position < block.count {
            let byte = Int(block[position])
            position += 1
            value += (byte & 127) << shift
            shift += 7
            if byte & 128 == 0 { break }
        }
        return value
    }

    private mutating func skipText() {
        guard position < block.count else { return }
        let length = number(7)
        position += length
    }
}
