internal import Encoding

extension SeededGenerator {
    /// Changes, cuts or repeats some bytes, or leaves them alone.
    mutating func damage(_ bytes: [UInt8]) -> [UInt8] {
        guard !bytes.isEmpty else { return bytes }
        var bytes = bytes
        let position = Int(next() % UInt64(bytes.count))
        switch next() % 6 {
        case 0: bytes[position] = UInt8(truncatingIfNeeded: next())
        case 1: bytes.removeSubrange(position...)
        case 2: bytes.insert(UInt8(truncatingIfNeeded: next()), at: position)
        case 3: bytes += bytes[position...]
        default: break
        }
        return bytes
    }
}
