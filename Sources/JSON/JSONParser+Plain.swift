internal import CVector
internal import Encoding

extension JSONParser {
    /// Reads plain members of an object, and everything inside of them that is plain: strings of
    /// ASCII without escapes, integers, `true`, `false`, `null`. Stops before the first token that
    /// is anything else, or wrong, or close to the end of the text.
    mutating func readPlainMembers() -> Context {
        let (parser, next) = Self.afterPlainMembers(self)
        self = parser
        return next
    }

    /// Reads with a copy: its address is not taken, and nothing is called, so that it stays in
    /// registers.
    @inline(never)
    private static func afterPlainMembers(_ parser: JSONParser) -> (JSONParser, Context) {
        var parser = parser
        members: while true {
            guard parser.readPlainName() else {
                if parser.skipPlainSpace() { continue members }
                return (parser, .name)
            }
            values: while true {
                switch parser.readPlainValue() {
                case .scalar: break
                case .object: continue members
                case .array: continue values
                case .none:
                    if parser.skipPlainSpace() { continue values }
                    return (parser, .value)
                }
                behind: while true {
                    switch parser.finishPlainValue() {
                    case .comma:
                        if parser.isInObject { continue members } else { continue values }
                    case .bracket: continue behind
                    case .none:
                        if parser.skipPlainSpace() { continue behind }
                        return (parser, .behindValue)
                    }
                }
            }
        }
    }

    private enum PlainValue { case scalar, object, array, none }

    private enum PlainEnd { case comma, bracket, none }

    /// Skips white space; false if there is none.
    @inline(always)
    private mutating func skipPlainSpace() -> Bool {
        guard index < end, Self.isSpace(byte(index)) else { return false }
        isCompact = false
        repeat { index &+= 1 } while index < end && Self.isSpace(byte(index))
        return true
    }

    @inline(always)
    private var isInObject: Bool { objects & 1 == 1 }

    @inline(always)
    private mutating func readPlainName() -> Bool {
        guard let close = plainStringEnd, byte(close &+ 1) == UInt8(ascii: ":") else {
            return false
        }
        append(.string, start: index &+ 1, end: close)
        index = close &+ 2
        return true
    }

    /// Reads a scalar or the start of a container.
    @inline(always)
    private mutating func readPlainValue() -> PlainValue {
        guard index < end else { return .none }
        let first = byte(index)
        if first == UInt8(ascii: "\"") {
            guard let close = plainStringEnd else { return .none }
            append(.string, start: index &+ 1, end: close)
            index = close &+ 1
            return .scalar
        }
        if first.isDigit { return readPlainInteger(first) ? .scalar : .none }
        guard depth < JSONTape.depthLimit, index &+ 1 < end else { return .none }
        let second = byte(index &+ 1)
        if first == UInt8(ascii: "{"), second == UInt8(ascii: "\"") {
            begin(.object)
            return .object
        }
        if first == UInt8(ascii: "["), second > 0x20, second != UInt8(ascii: "]") {
            begin(.array)
            return .array
        }
        return .none
    }

    /// Reads an integer of digits with a comma or a bracket right behind it.
    @inline(always)
    private mutating func readPlainInteger(_ first: UInt8) -> Bool {
        var last = index &+ 1
        while last < end, byte(last).isDigit { last &+= 1 }
        guard last < end, first != UInt8(ascii: "0") || last == index &+ 1 else { return false }
        let next = byte(last)
        // The two closing brackets differ in one bit.
        guard next == UInt8(ascii: ",") || next | 0x20 == UInt8(ascii: "}") else { return false }
        append(.number, start: index, end: last)
        index = last
        return true
    }

    /// After a value: reads a comma, or closes the container.
    @inline(always)
    private mutating func finishPlainValue() -> PlainEnd {
        guard index < end, parent >= 0 else { return .none }
        let next = byte(index)
        if next == UInt8(ascii: ",") {
            index &+= 1
            return .comma
        }
        guard next == (isInObject ? UInt8(ascii: "}") : UInt8(ascii: "]")) else { return .none }
        close()
        return .bracket
    }

    /// The index of the quotation mark at the end of a plain string that starts here; nil if
    /// there is none, or fewer than two bytes after it.
    @inline(always)
    private var plainStringEnd: Int? {
        var close = index &+ 1
        guard close &+ 18 <= end, byte(index) == UInt8(ascii: "\"") else { return nil }
        var count = plainCount(at: close)
        close &+= count
        while count == 16 {
            guard close &+ 18 <= end else { return nil }
            count = plainCount(at: close)
            close &+= count
        }
        return byte(close) == UInt8(ascii: "\"") ? close : nil
    }

    /// How many of the sixteen bytes at an index come before the first that is not plain ASCII, or
    /// that is a quotation mark or a backslash.
    @inline(always)
    func plainCount(at index: Int) -> Int {
        // The bit above the sixteen ends the search.
        unsafe (vector_json_specials(base + index) | 1 << 16).trailingZeroBitCount
    }
}
