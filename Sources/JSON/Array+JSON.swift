extension [UInt8] {
    /// Appends a string that consists of ASCII.
    @inlinable
    public mutating func appendASCII(_ text: StaticString) {
        unsafe append(
            contentsOf: UnsafeBufferPointer(start: text.utf8Start, count: text.utf8CodeUnitCount))
    }

    /// Appends borrowed bytes.
    @inlinable
    public mutating func appendBytes(_ bytes: RawSpan) {
        unsafe bytes.withUnsafeBytes { unsafe append(contentsOf: $0) }
    }

    /// Appends a part of another array.
    @inlinable
    public mutating func append(_ bytes: [UInt8], from start: Int, to end: Int) {
        precondition(start >= 0 && start <= end && end <= bytes.count, "a part of the array")
        unsafe bytes.withUnsafeBufferPointer {
            unsafe append(contentsOf: UnsafeBufferPointer(rebasing: $0[start..<end]))
        }
    }

    /// Replaces everything from an index on with other bytes, in the existing buffer.
    @inline(__always)
    public mutating func replace(from start: Int = 0, with bytes: [UInt8]) {
        unsafe bytes.withUnsafeBytes { unsafe replace(from: start, with: $0) }
    }

    @inline(__always)
    mutating func replace(from start: Int, with bytes: UnsafeRawBufferPointer) {
        // Most strings are as long as the previous one: their bytes are overwritten.
        guard count &- start != bytes.count || start < 0 else {
            guard let from = bytes.baseAddress, bytes.count > 0 else { return }
            return unsafe withUnsafeMutableBytes {
                guard let to = $0.baseAddress else { return }
                unsafe (to + start).copyMemory(from: from, byteCount: bytes.count)
            }
        }
        unsafe replaceAll(from: start, with: bytes)
    }

    /// Bytes that fit are overwritten, the rest is appended or removed.
    @inline(never)
    private mutating func replaceAll(from start: Int, with bytes: UnsafeRawBufferPointer) {
        let common = Swift.min(count &- start, bytes.count)
        precondition(start >= 0 && common >= 0, "a place in the array")
        unsafe withUnsafeMutableBufferPointer {
            guard let to = $0.baseAddress, let from = bytes.baseAddress else { return }
            unsafe UnsafeMutableRawPointer(to + start).copyMemory(from: from, byteCount: common)
        }
        guard count != start &+ common || bytes.count != common else { return }
        if count > start + common { removeSubrange((start + common)...) }
        if bytes.count > common {
            unsafe append(contentsOf: UnsafeRawBufferPointer(rebasing: bytes[common...]))
        }
    }

    /// True when both arrays contain the same bytes.
    public func equals(_ other: [UInt8]) -> Bool {
        unsafe withUnsafeBytes { bytes in
            unsafe other.withUnsafeBytes { unsafe Bytes.equal(bytes, $0) }
        }
    }

    /// Appends an integer in decimal digits.
    @_specialize(where Value == Int64)
    public mutating func appendDecimal<Value: FixedWidthInteger>(_ value: Value) {
        writeDecimal(value) { append($0) }
    }

    /// Appends the content of a JSON string: escaped, without quotation marks.
    public mutating func appendJSONText(_ text: String) {
        var text = text
        text.withUTF8 { unsafe appendEscaped(UnsafeRawBufferPointer($0)) }
    }

    /// Appends the content of a JSON string given in UTF-8: escaped, without quotation marks.
    ///
    /// Bytes that are not valid UTF-8 become U+FFFD.
    public mutating func appendJSONText(_ utf8: RawSpan) {
        unsafe utf8.withUnsafeBytes { bytes in
            if unsafe Bytes.arePlain(bytes) { return unsafe append(contentsOf: bytes) }
            guard unsafe UTF8Check.isValid(bytes) else {
                return unsafe appendJSONText(String(decoding: bytes, as: UTF8.self))
            }
            unsafe appendEscaped(bytes)
        }
    }

    /// Appends a part of an array as the content of a JSON string: escaped, without quotation
    /// marks.
    public mutating func appendJSONText(_ utf8: [UInt8], from start: Int, to end: Int) {
        unsafe utf8.withUnsafeBytes {
            unsafe appendJSONText(UnsafeRawBufferPointer(rebasing: $0[start..<end]).bytes)
        }
    }

    /// True when everything from `start` on is well-formed UTF-8.
    public func isUTF8(from start: Int = 0) -> Bool {
        unsafe withUnsafeBytes { unsafe UTF8Check.isValid(.init(rebasing: $0[start...])) }
    }

    /// Appends valid UTF-8 with the escapes that JSON requires.
    mutating func appendEscaped(_ bytes: UnsafeRawBufferPointer) {
        unsafe JSONPieces.escaped(bytes) { unsafe append(contentsOf: $0) }
    }
}
