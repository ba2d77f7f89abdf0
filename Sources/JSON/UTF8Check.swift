/// Checks bytes for well-formed UTF-8 according to RFC 3629.
enum UTF8Check {
    /// True when all of `bytes` is well-formed.
    static func isValid(_ bytes: UnsafeRawBufferPointer) -> Bool {
        guard let base = bytes.baseAddress else { return true }
        var index = 0
        while index < bytes.count {
            if unsafe base.load(fromByteOffset: index, as: UInt8.self) < 0x80 {
                index += 1
                continue
            }
            let length = unsafe length(of: base, at: index, end: bytes.count)
            guard length > 0 else { return false }
            index += length
        }
        return true
    }

    /// The length of the sequence of two to four bytes at `index`; 0 when it is malformed.
    @inline(__always)
    static func length(of base: UnsafeRawPointer, at index: Int, end: Int) -> Int {
        let first = unsafe base.load(fromByteOffset: index, as: UInt8.self)
        let length: Int
        var low: UInt8 = 0x80
        var high: UInt8 = 0xBF
        switch first {
        case 0xC2...0xDF: length = 2
        case 0xE0: (length, low) = (3, 0xA0)
        case 0xED: (length, high) = (3, 0x9F)
        case 0xE1...0xEF: length = 3
        case 0xF0: (length, low) = (4, 0x90)
        case 0xF4: (length, high) = (4, 0x8F)
        case 0xF1...0xF3: length = 4
        default: return 0
        }
        guard end - index >= length else { return 0 }
        let second = unsafe base.load(fromByteOffset: index + 1, as: UInt8.self)
        guard second >= low, second <= high else { return 0 }
        for position in 2..<max(length, 2) {
            let byte = unsafe base.load(fromByteOffset: index + position, as: UInt8.self)
            guard byte & 0xC0 == 0x80 else { return 0 }
        }
        return length
    }
}
