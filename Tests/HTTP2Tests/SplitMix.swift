/// A small generator of random numbers, so that a failure can be repeated.
struct SplitMix {
    private var state: UInt64

    init(seed: UInt64) { state = seed }

    mutating func next() -> UInt64 {
        state &+= 0x9E37_79B9_7F4A_7C15
        var z = state
        z = (z ^ (z >> 30)) &* 0xBF58_476D_1CE4_E5B9
        z = (z ^ (z >> 27)) &* 0x94D0_49BB_1331_11EB
        return z ^ (z >> 31)
    }

    /// Changes, cuts or repeats some bytes, up to three times.
    mutating func damage(_ bytes: [UInt8]) -> [UInt8] {
        var bytes = bytes
        for _ in 0...(next() % 3) where !bytes.isEmpty {
            let place = Int(next() % UInt64(bytes.count))
            switch next() % 6 {
            case 0: bytes[place] = UInt8(truncatingIfNeeded: next())
            case 1: bytes.removeSubrange(place...)
            case 2: bytes.insert(UInt8(truncatingIfNeeded: next()), at: place)
            case 3: bytes += bytes[place...]
            case 4: bytes[place] ^= 1 << UInt8(next() % 8)
            default: bytes.swapAt(place, Int(next() % UInt64(bytes.count)))
            }
        }
        return bytes
    }
}
