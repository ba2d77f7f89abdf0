/// A buffer for composing bytes and copying them out, in reused memory.
///
/// Appending to it and clearing it cost a fraction of what they cost with an array.
@safe public struct ByteBuffer: ~Copyable {
    @usableFromInline var start: UnsafeMutableRawPointer?
    @usableFromInline var capacity = 0
    @usableFromInline var used = 0

    /// Creates an empty buffer, which allocates nothing until bytes are added.
    public init() { unsafe start = nil }

    deinit { unsafe start?.deallocate() }

    /// The number of bytes.
    @inlinable public var count: Int { used }

    /// The last byte; nil when the buffer is empty.
    @inlinable public var last: UInt8? {
        guard count > 0, let start = unsafe start else { return nil }
        return unsafe start.load(fromByteOffset: count &- 1, as: UInt8.self)
    }

    /// The byte at an offset.
    @inlinable public subscript(_ offset: Int) -> UInt8 {
        get {
            unsafe address(of: offset).load(as: UInt8.self)
        }
        set {
            unsafe address(of: offset).storeBytes(of: newValue, as: UInt8.self)
        }
    }

    @inlinable
    func address(of offset: Int) -> UnsafeMutableRawPointer {
        precondition(offset >= 0 && offset < used, "one of the bytes")
        guard let start = unsafe start else { preconditionFailure("bytes have an address") }
        return unsafe start + offset
    }

    /// Removes all bytes, keeping the memory.
    @inlinable public mutating func removeAll() { used = 0 }

    /// Removes the bytes from an offset on.
    @inlinable public mutating func removeAll(from offset: Int) {
        precondition(offset >= 0 && offset <= count, "an offset within the bytes")
        used = offset
    }

    /// Appends a byte.
    @inlinable public mutating func append(_ byte: UInt8) {
        unsafe room(1).storeBytes(of: byte, as: UInt8.self)
        used &+= 1
    }

    /// Appends eight bytes: a little-endian number.
    @inlinable public mutating func append(word: UInt64) {
        unsafe room(8).storeBytes(of: word.littleEndian, as: UInt64.self)
        used &+= 8
    }

    /// Appends four bytes: a little-endian number.
    @inlinable public mutating func append(half: UInt32) {
        unsafe room(4).storeBytes(of: half.littleEndian, as: UInt32.self)
        used &+= 4
    }

    /// Reads eight bytes as a little-endian number.
    @inlinable public func word(at offset: Int) -> UInt64 {
        precondition(offset >= 0 && offset <= used - 8, "eight of the bytes")
        guard let start = unsafe start else { preconditionFailure("bytes have an address") }
        return unsafe UInt64(
            littleEndian: start.loadUnaligned(fromByteOffset: offset, as: UInt64.self))
    }

    /// Appends borrowed bytes.
    @inlinable public mutating func append(_ bytes: RawSpan) {
        unsafe bytes.withUnsafeBytes { unsafe append($0) }
    }

    /// Appends all bytes of an array.
    @inlinable public mutating func append(_ bytes: [UInt8]) {
        unsafe bytes.withUnsafeBytes { unsafe append($0) }
    }

    /// Appends a part of an array.
    @inlinable @inline(__always)
    public mutating func append(_ bytes: [UInt8], from first: Int, to end: Int) {
        precondition(first >= 0 && first <= end && end <= bytes.count, "a part of the array")
        unsafe bytes.withUnsafeBytes { bytes in
            guard end &- first <= 16, first &+ 16 <= bytes.count, let base = bytes.baseAddress
            else { return unsafe append(.init(rebasing: bytes[first..<end])) }
            // Sixteen bytes are written, and those count that are wanted.
            let piece = unsafe (base + first).loadUnaligned(as: SIMD2<UInt64>.self)
            unsafe room(16).storeBytes(of: piece, as: SIMD2<UInt64>.self)
            used &+= end &- first
        }
    }

    /// Appends a string that consists of ASCII.
    ///
    /// Inlined, so that a constant is not copied by a call.
    @inlinable @inline(__always)
    public mutating func appendASCII(_ text: StaticString) {
        unsafe append(
            UnsafeRawBufferPointer(start: text.utf8Start, count: text.utf8CodeUnitCount))
    }

    @inlinable @inline(__always)
    mutating func append(_ bytes: UnsafeRawBufferPointer) {
        guard let source = bytes.baseAddress else { return }
        unsafe room(bytes.count).copyMemory(from: source, byteCount: bytes.count)
        used &+= bytes.count
    }

    /// The address for the next bytes, with room for this many.
    @inlinable
    mutating func room(_ wanted: Int) -> UnsafeMutableRawPointer {
        if let start = unsafe start, wanted <= capacity &- count { return unsafe start + count }
        return unsafe grow(wanted)
    }

    @inline(never) @usableFromInline
    mutating func grow(_ wanted: Int) -> UnsafeMutableRawPointer {
        capacity = max(256, capacity * 2, count + wanted)
        let larger = UnsafeMutableRawPointer.allocate(byteCount: capacity, alignment: 8)
        if let start = unsafe start {
            unsafe larger.copyMemory(from: start, byteCount: count)
            unsafe start.deallocate()
        }
        unsafe start = unsafe larger
        return unsafe larger + count
    }

    /// Calls `body` with the bytes.
    public func withBytes<Result>(_ body: (RawSpan) -> Result) -> Result {
        body(unsafe bytes.bytes)
    }

    var bytes: UnsafeRawBufferPointer { unsafe UnsafeRawBufferPointer(start: start, count: count) }

    /// A copy of the bytes from an offset on.
    public func copy(from offset: Int = 0) -> [UInt8] { copy(from: offset, count: used - offset) }

    /// A copy of this many bytes from an offset on.
    public func copy(from offset: Int, count: Int) -> [UInt8] {
        precondition(offset >= 0 && count >= 0 && offset <= used - count, "a part of the bytes")
        return unsafe [UInt8](bytes[offset..<offset + count])
    }

    /// Reserves room for this many bytes in total.
    public mutating func reserve(_ count: Int) {
        if count > capacity { unsafe _ = grow(count - used) }
    }
}

extension ByteBuffer {
    /// Appends an integer in decimal digits.
    public mutating func appendDecimal(_ value: Int64) {
        if value < 0 { append(UInt8(ascii: "-")) }
        let magnitude = value.magnitude
        if magnitude < 10 {
            return append(UInt8(ascii: "0") &+ UInt8(truncatingIfNeeded: magnitude))
        }
        appendDigits(magnitude)
    }

    private mutating func appendDigits(_ value: UInt64) {
        guard value < 100_000_000 else {
            let (front, back) = value.quotientAndRemainder(dividingBy: 100_000_000)
            appendDigits(front)
            return append(word: eightDigits(back) | 0x3030_3030_3030_3030)
        }
        let digits = eightDigits(value)
        // Eight bytes are written, and those count that are left without leading zeros.
        let zeros = min(7, digits.trailingZeroBitCount &>> 3)
        append(word: (digits | 0x3030_3030_3030_3030) &>> UInt64(8 &* zeros))
        used &-= zeros
    }

    /// Appends this many digits of a number that has no more, with zeros in front.
    public mutating func appendDigits(_ value: UInt64, count: Int) {
        guard count <= 8 else {
            let (front, back) = value.quotientAndRemainder(dividingBy: 100_000_000)
            appendDigits(front, count: count &- 8)
            return appendDigits(back, count: 8)
        }
        let digits = eightDigits(value) | 0x3030_3030_3030_3030
        append(word: digits &>> UInt64(8 &* (8 &- count)))
        used &-= 8 &- count
    }

    /// Appends a string's content, unescaped.
    public mutating func appendText(of node: Int, on tape: borrowing JSONTape, in bytes: RawSpan) {
        let entry = tape[node]
        guard entry.kind == .string else { return }
        unsafe bytes.withUnsafeBytes {
            unsafe JSONPieces.ofText(entry, in: $0) { unsafe append($0) }
        }
    }

    /// Appends a string's content as JSON: without quotation marks, with only the required escapes.
    public mutating func appendStringContent(
        of node: Int, on tape: borrowing JSONTape, in bytes: RawSpan
    ) {
        let entry = tape[node]
        guard entry.kind == .string else { return }
        unsafe bytes.withUnsafeBytes {
            unsafe JSONPieces.ofContent(entry, in: $0) { unsafe append($0) }
        }
    }

    /// Appends a complete value as JSON without spaces; numbers stay as written.
    public mutating func appendJSON(of node: Int, on tape: borrowing JSONTape, in bytes: RawSpan) {
        unsafe bytes.withUnsafeBytes {
            unsafe JSONPieces.ofValue(node, on: tape, in: $0) { unsafe append($0) }
        }
    }

    /// Appends a part of an array as the content of a JSON string: escaped, without quotation
    /// marks.
    ///
    /// Bytes that are not valid UTF-8 become U+FFFD.
    public mutating func appendJSONText(_ utf8: [UInt8], from first: Int, to end: Int) {
        unsafe utf8.withUnsafeBytes {
            unsafe appendJSONText(UnsafeRawBufferPointer(rebasing: $0[first..<end]))
        }
    }

    private mutating func appendJSONText(_ text: UnsafeRawBufferPointer) {
        if unsafe Bytes.arePlain(text) { return unsafe append(text) }
        if unsafe UTF8Check.isValid(text) {
            return unsafe JSONPieces.escaped(text) { unsafe append($0) }
        }
        var repaired = unsafe String(decoding: text, as: UTF8.self)
        repaired.withUTF8 {
            unsafe JSONPieces.escaped(UnsafeRawBufferPointer($0)) { unsafe append($0) }
        }
    }
}

extension ByteBuffer {
    /// Appends a JSON string; null for nil.
    public mutating func appendJSONString(_ text: String?) {
        guard var text else { return appendASCII("null") }
        append(UInt8(ascii: "\""))
        text.withUTF8 { utf8 in
            let bytes = UnsafeRawBufferPointer(utf8)
            if unsafe Bytes.arePlain(bytes) { return unsafe append(bytes) }
            unsafe JSONPieces.escaped(bytes) { unsafe append($0) }
        }
        append(UInt8(ascii: "\""))
    }

    /// Appends a JSON string given in UTF-8; null if it is empty.
    public mutating func appendJSONString(utf8: [UInt8]) {
        guard !utf8.isEmpty else { return appendASCII("null") }
        append(UInt8(ascii: "\""))
        appendJSONText(utf8, from: 0, to: utf8.count)
        append(UInt8(ascii: "\""))
    }
}

extension ByteBuffer {
    /// Appends a JSON string given in UTF-8; null if it is empty.
    public mutating func appendJSONString(utf8: RawSpan) {
        guard utf8.byteCount > 0 else { return appendASCII("null") }
        append(UInt8(ascii: "\""))
        unsafe utf8.withUnsafeBytes { unsafe appendJSONText($0) }
        append(UInt8(ascii: "\""))
    }
}

extension ByteBuffer {
    /// Appends a JSON string given in UTF-8; false, and nothing is appended, if that is not valid.
    public mutating func appendJSONString(validUTF8 bytes: RawSpan) -> Bool {
        unsafe bytes.withUnsafeBytes { text in
            if unsafe appendPlainString(text) { return true }
            guard unsafe UTF8Check.isValid(text) else { return false }
            append(UInt8(ascii: "\""))
            unsafe JSONPieces.escaped(text) { unsafe append($0) }
            append(UInt8(ascii: "\""))
            return true
        }
    }

    /// Appends a string that needs no escapes; false, and nothing is appended, for others.
    @inline(__always)
    private mutating func appendPlainString(_ text: UnsafeRawBufferPointer) -> Bool {
        let count = text.count
        let target = unsafe room(count &+ 2)
        guard unsafe Bytes.copyPlain(text, to: target + 1) else { return false }
        unsafe target.storeBytes(of: UInt8(ascii: "\""), as: UInt8.self)
        unsafe (target + 1 + count).storeBytes(of: UInt8(ascii: "\""), as: UInt8.self)
        used &+= count &+ 2
        return true
    }
}

extension [UInt8] {
    /// Replaces everything with borrowed bytes, in the existing memory.
    public mutating func replace(with bytes: RawSpan) {
        unsafe bytes.withUnsafeBytes { unsafe replace(from: 0, with: $0) }
    }

    /// Replaces everything with another buffer's bytes from an offset on, in the existing memory.
    public mutating func replace(with buffer: borrowing ByteBuffer, from offset: Int = 0) {
        unsafe replace(from: 0, with: UnsafeRawBufferPointer(rebasing: buffer.bytes[offset...]))
    }
}
