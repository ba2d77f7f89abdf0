internal import Encoding

extension JSONParser {
    /// Reads a string, from its opening quotation mark to after the closing one.
    mutating func readString() throws(JSONError) {
        index &+= 1
        let start = index
        var hasEscapes = false
        while true {
            while index &+ 16 <= end, case let count = plainCount(at: index), count > 0 {
                index &+= count
            }
            guard index < end else { throw Self.tooEarly("inside a string", at: index) }
            let byte = byte(index)
            if byte == UInt8(ascii: "\"") { break }
            if byte == UInt8(ascii: "\\") {
                hasEscapes = true
                isCompact = false
                index = unsafe try Self.escape(
                    at: index, of: base, end: end, isLenient: replacesLoneSurrogates)
            } else if byte < 0x20 {
                throw fault("unescaped control character in a string")
            } else if byte < 0x80 {
                index &+= 1
            } else {
                let length = unsafe UTF8Check.length(of: base, at: index, end: end)
                guard length > 0 else { throw fault("invalid UTF-8") }
                index &+= length
            }
        }
        append(.string, start: start, end: index, hasEscapes: hasEscapes)
        index &+= 1
    }

    /// Reads an escape and returns the index after it.
    private static func escape(
        at index: Int, of base: UnsafeRawPointer, end: Int, isLenient: Bool
    ) throws(JSONError) -> Int {
        guard index + 1 < end else { throw tooEarly("inside a string", at: index) }
        switch unsafe base.load(fromByteOffset: index + 1, as: UInt8.self) {
        case UInt8(ascii: "\""), UInt8(ascii: "\\"), UInt8(ascii: "/"), UInt8(ascii: "b"),
            UInt8(ascii: "f"), UInt8(ascii: "n"), UInt8(ascii: "r"), UInt8(ascii: "t"):
            return index + 2
        case UInt8(ascii: "u"):
            let first = unsafe try unit(at: index, of: base, end: end)
            guard first & 0xF800 == 0xD800 else { return index + 6 }
            let second = index + 6
            guard first < 0xDC00, second + 1 < end,
                unsafe base.load(fromByteOffset: second, as: UInt8.self) == UInt8(ascii: "\\"),
                unsafe base.load(fromByteOffset: second + 1, as: UInt8.self) == UInt8(ascii: "u"),
                unsafe try unit(at: second, of: base, end: end) & 0xFC00 == 0xDC00
            else {
                guard isLenient else { throw fault("unpaired surrogate", at: index) }
                return second
            }
            return second + 6
        default: throw fault("unknown escape sequence", at: index)
        }
    }

    /// Reads `\uXXXX`.
    private static func unit(
        at index: Int, of base: UnsafeRawPointer, end: Int
    ) throws(JSONError) -> UInt16 {
        guard index + 6 <= end, let unit = unsafe JSONText.unit(at: index + 2, of: base) else {
            throw fault("\\u must be followed by four hexadecimal digits", at: index)
        }
        return unit
    }

    /// Reads a number; the caller checks what follows it.
    mutating func readNumber() throws(JSONError) {
        let start = index
        if byte(index) == UInt8(ascii: "-") { index &+= 1 }
        if index < end, byte(index) == UInt8(ascii: "0") {
            index &+= 1
            if index < end, byte(index).isDigit {
                throw fault("a number must not start with 0")
            }
        } else {
            try readDigits()
        }
        if index < end, byte(index) == UInt8(ascii: ".") {
            index &+= 1
            try readDigits()
        }
        if index < end, byte(index) | 0x20 == UInt8(ascii: "e") {
            index &+= 1
            if index < end {
                let sign = byte(index)
                if sign == UInt8(ascii: "+") || sign == UInt8(ascii: "-") { index &+= 1 }
            }
            try readDigits()
        }
        append(.number, start: start, end: index)
    }

    private mutating func readDigits() throws(JSONError) {
        let start = index
        while index < end, byte(index).isDigit { index &+= 1 }
        guard index > start else { throw fault("expected a digit") }
    }

    mutating func readWord(_ word: StaticString, _ kind: JSONKind) throws(JSONError) {
        let start = index
        for offset in 0..<word.utf8CodeUnitCount {
            guard index < end, unsafe byte(index) == word.utf8Start[offset] else {
                throw Self.fault("expected a value", at: start)
            }
            index &+= 1
        }
        append(kind, start: start, end: index)
    }
}
