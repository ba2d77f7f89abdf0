extension [UInt8] {
    /// Appends text that is ASCII by construction.
    @inlinable
    public mutating func appendASCII(_ text: StaticString) {
        unsafe append(
            contentsOf: UnsafeBufferPointer(start: text.utf8Start, count: text.utf8CodeUnitCount))
    }

    /// Appends bytes that are lent.
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

    /// Appends a whole number in decimal digits.
    public mutating func appendDecimal(_ value: some FixedWidthInteger) {
        if value < 0 { append(UInt8(ascii: "-")) }
        var rest = UInt64(value.magnitude)
        var digits: InlineArray<20, UInt8> = .init(repeating: 0)
        var first = 20
        repeat {
            first -= 1
            digits[first] = UInt8(ascii: "0") + UInt8(rest % 10)
            rest /= 10
        } while rest != 0
        for index in first..<20 { append(digits[index]) }
    }

    /// Appends the inside of a JSON string: escaped, without quotation marks.
    public mutating func appendJSONText(_ text: String) {
        var text = text
        text.withUTF8 { unsafe appendEscaped(UnsafeRawBufferPointer($0)) }
    }

    /// Appends the inside of a JSON string that is given in UTF-8: escaped, without marks.
    ///
    /// Bytes that are no UTF-8 become U+FFFD.
    public mutating func appendJSONText(_ utf8: RawSpan) {
        unsafe utf8.withUnsafeBytes { bytes in
            guard unsafe UTF8Check.isValid(bytes) else {
                return unsafe appendJSONText(String(decoding: bytes, as: UTF8.self))
            }
            unsafe appendEscaped(bytes)
        }
    }

    /// Appends the inside of a JSON string that is a part of an array: escaped, without marks.
    public mutating func appendJSONText(_ utf8: [UInt8], from start: Int, to end: Int) {
        unsafe utf8.withUnsafeBytes {
            unsafe appendJSONText(UnsafeRawBufferPointer(rebasing: $0[start..<end]).bytes)
        }
    }

    /// True when everything from `start` on is well-formed UTF-8.
    public func isUTF8(from start: Int = 0) -> Bool {
        unsafe withUnsafeBytes { unsafe UTF8Check.isValid(.init(rebasing: $0[start...])) }
    }

    /// Appends valid UTF-8, escaping what JSON wants escaped.
    mutating func appendEscaped(_ bytes: UnsafeRawBufferPointer) {
        var start = 0
        for index in bytes.indices {
            let byte = unsafe bytes[index]
            guard byte < 0x20 || byte == UInt8(ascii: "\"") || byte == UInt8(ascii: "\\") else {
                continue
            }
            unsafe append(contentsOf: UnsafeRawBufferPointer(rebasing: bytes[start..<index]))
            appendEscape(byte)
            start = index + 1
        }
        unsafe append(contentsOf: UnsafeRawBufferPointer(rebasing: bytes[start...]))
    }

    private mutating func appendEscape(_ byte: UInt8) {
        append(UInt8(ascii: "\\"))
        switch byte {
        case UInt8(ascii: "\""), UInt8(ascii: "\\"): append(byte)
        case 0x08: append(UInt8(ascii: "b"))
        case 0x09: append(UInt8(ascii: "t"))
        case 0x0A: append(UInt8(ascii: "n"))
        case 0x0C: append(UInt8(ascii: "f"))
        case 0x0D: append(UInt8(ascii: "r"))
        default:
            appendASCII(byte < 0x10 ? "u000" : "u001")
            let digit = byte & 15
            append(digit < 10 ? UInt8(ascii: "0") + digit : UInt8(ascii: "a") + digit - 10)
        }
    }
}
