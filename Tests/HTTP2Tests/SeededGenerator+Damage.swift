internal import Encoding

extension SeededGenerator {
    /// Changes, cuts or repeats some bytes, up to three times.
    mutating func damage(_ bytes: [UInt8]) -> [UInt8] {
        var bytes = bytes
        for _ in 0...(next() % 3) where !bytes.isEmpty {
            let position = Int(next() % UInt64(bytes.count))
            switch next() % 6 {
            case 0: bytes[position] = UInt8(truncatingIfNeeded: next())
            case 1: bytes.removeSubrange(position...)
            case 2: bytes.insert(UInt8(truncatingIfNeeded: next()), at: position)
            case 3: bytes += bytes[position...]
            case 4: bytes[position] ^= 1 << UInt8(next() % 8)
            default: bytes.swapAt(position, Int(next() % UInt64(bytes.count)))
            }
        }
        return bytes
    }
}
