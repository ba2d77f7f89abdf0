/// Checks that values are valid in the fields of a request.
enum HeaderFieldCheck {
    /// The most bytes that all values may have together; no push comes close.
    static let maxLength = 8192

    /// Whether a value is valid in a field; `length` is the sum of all of them.
    @inline(__always)
    static func isGood(_ value: [UInt8], _ length: inout Int) -> Bool {
        guard let first = value.first, let last = value.last else { return true }
        length += value.count
        return !isBlank(first) && !isBlank(last) && !hasControl(value)
    }

    /// Copies a value of at least one byte; returns whether it is valid in a field.
    @inline(__always)
    static func copy(_ value: [UInt8], to out: UnsafeMutableRawPointer) -> Bool {
        unsafe value.withUnsafeBytes { bytes in
            guard let start = bytes.baseAddress else { return true }
            let last = bytes.count &- 1
            let isBlank = unsafe isBlank(bytes[0]) || isBlank(bytes[last])
            guard bytes.count >= 8 else {
                unsafe out.copyMemory(from: start, byteCount: bytes.count)
                return unsafe !isBlank && !bytes.contains(where: isControl)
            }
            guard bytes.count >= 16 else {
                let first = unsafe start.loadUnaligned(as: SIMD8<UInt8>.self)
                let rest = unsafe (start + (last &- 7)).loadUnaligned(as: SIMD8<UInt8>.self)
                unsafe out.storeBytes(of: first, as: SIMD8<UInt8>.self)
                unsafe (out + (last &- 7)).storeBytes(of: rest, as: SIMD8<UInt8>.self)
                return !isBlank && !hasTop(controls(in: SIMD16(lowHalf: first, highHalf: rest)))
            }
            var found = SIMD16<UInt8>(repeating: 0)
            var position = 0
            while position &+ 16 <= bytes.count {
                unsafe found |= copy(start + position, out + position)
                position &+= 16
            }
            // The last sixteen bytes, which may overlap those before.
            unsafe found |= copy(start + (last &- 15), out + (last &- 15))
            return !isBlank && !hasTop(found)
        }
    }

    @inline(__always)
    private static func copy(
        _ bytes: UnsafeRawPointer, _ out: UnsafeMutableRawPointer
    ) -> SIMD16<UInt8> {
        let bytes = unsafe load(bytes)
        unsafe out.storeBytes(of: bytes, as: SIMD16<UInt8>.self)
        return controls(in: bytes)
    }

    static func isBlank(_ byte: UInt8) -> Bool { byte == 0x20 || byte == 0x09 }

    static func isControl(_ byte: UInt8) -> Bool { byte < 0x20 || byte == 0x7F }

    /// Whether a value contains a control character; examines sixteen bytes at once.
    @inline(__always)
    private static func hasControl(_ value: [UInt8]) -> Bool {
        unsafe value.withUnsafeBytes { bytes in
            guard let start = bytes.baseAddress else { return false }
            let count = bytes.count
            guard count >= 8 else { return unsafe bytes.contains(where: isControl) }
            guard count >= 16 else {
                let first = unsafe start.loadUnaligned(as: SIMD8<UInt8>.self)
                let last = unsafe (start + (count &- 8)).loadUnaligned(as: SIMD8<UInt8>.self)
                let found = controls(in: SIMD16(lowHalf: first, highHalf: last))
                return hasTop(found)
            }
            var found = SIMD16<UInt8>(repeating: 0)
            var position = 0
            while position &+ 16 <= count {
                unsafe found |= controls(in: load(start + position))
                position &+= 16
            }
            // The last sixteen bytes, which may overlap those before.
            unsafe found |= controls(in: load(start + (count &- 16)))
            return hasTop(found)
        }
    }

    @inline(__always)
    private static func load(_ position: UnsafeRawPointer) -> SIMD16<UInt8> {
        unsafe position.loadUnaligned(as: SIMD16<UInt8>.self)
    }

    @inline(__always)
    private static func hasTop(_ bytes: SIMD16<UInt8>) -> Bool {
        let halves = unsafe unsafeBitCast(bytes, to: SIMD2<UInt64>.self)
        return (halves.x | halves.y) & 0x8080_8080_8080_8080 != 0
    }

    /// Sets the highest bit of each of sixteen bytes that is a control character.
    @inline(__always)
    private static func controls(in bytes: SIMD16<UInt8>) -> SIMD16<UInt8> {
        let delete = (bytes ^ SIMD16(repeating: 0x7F)) &- SIMD16(repeating: 1)
        return (bytes &- SIMD16(repeating: 0x20) | delete) & ~bytes
    }
}
