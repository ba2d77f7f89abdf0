internal import CVector

/// Compares bytes.
@usableFromInline enum Bytes {
    /// True when both contain the same bytes; compares eight at a time.
    @inline(__always)
    static func equal(_ left: UnsafeRawBufferPointer, _ right: UnsafeRawBufferPointer) -> Bool {
        let count = left.count
        guard count == right.count else { return false }
        guard let one = left.baseAddress, let other = right.baseAddress else { return true }
        if count >= 8 {
            var index = 0
            while index &+ 8 <= count {
                guard unsafe differs(one, other, at: index, UInt64.self) == 0 else { return false }
                index &+= 8
            }
            // The last eight bytes, which overlap those before.
            return unsafe differs(one, other, at: count &- 8, UInt64.self) == 0
        }
        if count >= 4 {
            let first = unsafe differs(one, other, at: 0, UInt32.self)
            return unsafe first | differs(one, other, at: count &- 4, UInt32.self) == 0
        }
        var difference: UInt8 = 0
        for index in 0..<count { unsafe difference |= differs(one, other, at: index, UInt8.self) }
        return difference == 0
    }

    /// True when all are printable ASCII except quotation marks and backslashes: they need no
    /// escape in a JSON string.
    @inline(__always)
    static func arePlain(_ bytes: UnsafeRawBufferPointer) -> Bool {
        guard let base = bytes.baseAddress else { return true }
        let count = bytes.count
        if count >= 16 {
            // The last sixteen bytes, which may overlap those before.
            var found = unsafe vector_json_specials(base + (count &- 16))
            var index = 0
            while index &+ 16 <= count {
                unsafe found |= vector_json_specials(base + index)
                index &+= 16
            }
            return found == 0
        }
        if count >= 8 {
            let first = unsafe special(base.loadUnaligned(as: UInt64.self))
            let last = unsafe base.loadUnaligned(fromByteOffset: count &- 8, as: UInt64.self)
            return first | special(last) == 0
        }
        for index in 0..<count {
            let byte = unsafe base.load(fromByteOffset: index, as: UInt8.self)
            let isMark = byte == UInt8(ascii: "\"") || byte == UInt8(ascii: "\\")
            guard byte &- 0x20 < 0x5F, !isMark else { return false }
        }
        return true
    }

    /// Copies bytes; true when they are all plain, as ``arePlain(_:)`` has it.
    @usableFromInline
    static func copyPlain(
        _ bytes: UnsafeRawBufferPointer, to target: UnsafeMutableRawPointer
    ) -> Bool {
        guard let base = bytes.baseAddress else { return true }
        let count = bytes.count
        guard count >= 16 else {
            for index in 0..<count {
                let byte = unsafe base.load(fromByteOffset: index, as: UInt8.self)
                unsafe target.storeBytes(of: byte, toByteOffset: index, as: UInt8.self)
            }
            return unsafe arePlain(bytes)
        }
        var found: UInt32 = 0
        var index = 0
        while true {
            let piece = unsafe base.loadUnaligned(fromByteOffset: index, as: SIMD2<UInt64>.self)
            unsafe target.storeBytes(of: piece, toByteOffset: index, as: SIMD2<UInt64>.self)
            unsafe found |= vector_json_specials(base + index)
            guard index < count &- 16 else { return found == 0 }
            // The last sixteen bytes may overlap those before.
            index = min(index &+ 16, count &- 16)
        }
    }

    private static let ones: UInt64 = 0x0101_0101_0101_0101

    /// 0 when no byte of a word is a control character, above ASCII, `"` or `\`.
    ///
    /// If there is one, borrows may flag bytes above it as well.
    @inline(__always)
    private static func special(_ word: UInt64) -> UInt64 {
        let marks = (word ^ (ones &* 0x22)) &- ones
        let slashes = (word ^ (ones &* 0x5C)) &- ones
        return (word | (word &- ones &* 0x20) | marks | slashes) & (ones &* 0x80)
    }

    /// 0 when the bytes of both words are the same.
    @inline(__always)
    private static func differs<Word: FixedWidthInteger & BitwiseCopyable>(
        _ one: UnsafeRawPointer, _ other: UnsafeRawPointer, at index: Int, _ type: Word.Type
    ) -> Word {
        unsafe one.loadUnaligned(fromByteOffset: index, as: type)
            ^ other.loadUnaligned(fromByteOffset: index, as: type)
    }
}
