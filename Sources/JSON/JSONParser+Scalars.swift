extension JSONParser {
    /// Reads a string from behind its quotation mark to behind the closing one.
    @inline(__always)
    mutating func readString() throws(JSONError) {
        let start = index
        var hasEscapes = false
        while true {
            skipPlainText()
            guard index < end else { throw fault("the text ends too early: inside a string") }
            let byte = byte(index)
            if byte == UInt8(ascii: "\"") { break }
            if byte == UInt8(ascii: "\\") {
                hasEscapes = true
                try readEscape()
            } else if byte < 0x20 {
                throw fault("a control character stands in a string")
            } else if byte < 0x80 {
                index += 1
            } else {
                let length = unsafe UTF8Check.length(of: base, at: index, end: end)
                guard length > 0 else { throw fault("this is no UTF-8") }
                index += length
            }
        }
        append(.string, start: start, end: index, hasEscapes: hasEscapes)
        index += 1
    }

    /// Skips eight bytes at a time while they are ASCII that stands for itself.
    @inline(__always)
    private mutating func skipPlainText() {
        let ones: UInt64 = 0x0101_0101_0101_0101
        let tops: UInt64 = 0x8080_8080_8080_8080
        while index &+ 8 <= end {
            let word = unsafe UInt64(
                littleEndian: base.loadUnaligned(fromByteOffset: index, as: UInt64.self))
            // A zero byte in these marks the character; what borrows do above it is not looked at.
            let quote = word ^ (ones &* 0x22)
            let backslash = word ^ (ones &* 0x5C)
            let special =
                ((quote &- ones) & ~quote | (backslash &- ones) & ~backslash
                    | (word &- ones &* 0x20) & ~word | word) & tops
            guard special == 0 else {
                index &+= special.trailingZeroBitCount >> 3
                return
            }
            index &+= 8
        }
    }

    @inline(never)
    private mutating func readEscape() throws(JSONError) {
        guard index + 1 < end else { throw fault("the text ends too early: inside a string") }
        switch byte(index + 1) {
        case UInt8(ascii: "\""), UInt8(ascii: "\\"), UInt8(ascii: "/"), UInt8(ascii: "b"),
            UInt8(ascii: "f"), UInt8(ascii: "n"), UInt8(ascii: "r"), UInt8(ascii: "t"):
            index += 2
        case UInt8(ascii: "u"):
            let first = try readUnit()
            guard first & 0xF800 == 0xD800 else { return }
            let start = index - 6
            guard first < 0xDC00, index + 1 < end, byte(index) == UInt8(ascii: "\\"),
                byte(index + 1) == UInt8(ascii: "u"),
                try readUnit() & 0xFC00 == 0xDC00
            else { throw fault("half of a surrogate pair stands alone", at: start) }
        default: throw fault("there is no such escape")
        }
    }

    /// Reads `\uXXXX`.
    private mutating func readUnit() throws(JSONError) -> UInt16 {
        guard index + 6 <= end, let unit = unsafe JSONText.unit(at: index + 2, of: base) else {
            throw fault("\\u must be followed by four hexadecimal digits")
        }
        index += 6
        return unit
    }

    /// Reads a number; what follows it is looked at by the caller.
    @inline(__always)
    mutating func readNumber() throws(JSONError) {
        let start = index
        if byte(index) == UInt8(ascii: "-") { index += 1 }
        if index < end, byte(index) == UInt8(ascii: "0") {
            index += 1
            if index < end, isDigit(byte(index)) {
                throw fault("a number may not begin with 0")
            }
        } else {
            try readDigits()
        }
        if index < end, byte(index) == UInt8(ascii: ".") {
            index += 1
            try readDigits()
        }
        if index < end, byte(index) | 0x20 == UInt8(ascii: "e") {
            index += 1
            if index < end {
                let sign = byte(index)
                if sign == UInt8(ascii: "+") || sign == UInt8(ascii: "-") { index += 1 }
            }
            try readDigits()
        }
        append(.number, start: start, end: index)
    }

    @inline(__always)
    private mutating func readDigits() throws(JSONError) {
        let start = index
        while index < end, isDigit(byte(index)) { index &+= 1 }
        guard index > start else { throw fault("a digit must stand here") }
    }

    @inline(__always)
    private func isDigit(_ byte: UInt8) -> Bool { byte &- UInt8(ascii: "0") < 10 }

    @inline(__always)
    mutating func readWord(_ word: StaticString, _ kind: JSONKind) throws(JSONError) {
        let start = index
        for offset in 0..<word.utf8CodeUnitCount {
            guard index < end, unsafe byte(index) == word.utf8Start[offset] else {
                throw fault("a value must stand here", at: start)
            }
            index += 1
        }
        append(kind, start: start, end: index)
    }
}
