internal import Encoding

extension SeededGenerator {
    /// Changes, cuts or repeats some bytes, or leaves them alone.
    mutating func damage(_ bytes: [UInt8]) -> [UInt8] {
        guard !bytes.isEmpty else { return bytes }
        var bytes = bytes
        let place = Int(next() % UInt64(bytes.count))
        switch next() % 6 {
        case 0: bytes[place] = UInt8(truncatingIfNeeded: next())
        case 1: bytes.removeSubrange(place...)
        case 2: bytes.insert(UInt8(truncatingIfNeeded: next()), at: place)
        case 3: bytes += bytes[place...]
        default: break
        }
        return bytes
    }
}
