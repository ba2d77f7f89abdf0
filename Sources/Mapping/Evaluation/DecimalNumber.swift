/// A number token as decimal digits: nothing is rounded unless requested.
struct DecimalNumber {
    /// The most digits before the point, and after it.
    static let digitLimit = 100

    /// The digits from 0 to 9, without the point and leading zeros.
    private(set) var digits: [UInt8]
    private var isNegative = false
    /// How many of the digits precede the point; if negative, that many zeros follow the point
    /// first.
    private var point = 0

    /// Reads a validated token; `digits` is a buffer to reuse.
    init(_ token: [UInt8], _ start: Int, _ end: Int, digits buffer: consuming [UInt8]) {
        buffer.removeAll(keepingCapacity: true)
        // Consumed: with two owners it would be copied.
        digits = consume buffer
        var isFraction = false
        var index = start
        scan: while index < end {
            let byte = token[index]
            index += 1
            switch byte {
            case UInt8(ascii: "-"): isNegative = true
            case UInt8(ascii: "."): isFraction = true
            case UInt8(ascii: "e"), UInt8(ascii: "E"): break scan
            default:
                let isLeadingZero = digits.isEmpty && byte == UInt8(ascii: "0")
                if isLeadingZero {
                    if isFraction { point -= 1 }
                } else {
                    digits.append(byte - UInt8(ascii: "0"))
                    if !isFraction { point += 1 }
                }
            }
        }
        // Zero stays zero, whatever its exponent.
        if !digits.isEmpty { point += Self.exponent(token, index, end) }
    }

    /// Rounds to `count` digits after the point, half away from zero; false for too many digits.
    mutating func fixed(_ count: Int) -> Bool {
        guard point <= Self.digitLimit else { return false }
        let kept = point + count
        if kept < 0 {
            digits.removeAll(keepingCapacity: true)
        } else if kept < digits.count {
            let isUp = digits[kept] >= 5
            digits.removeLast(digits.count - kept)
            if isUp { increment() }
        } else {
            for _ in digits.count..<kept { digits.append(0) }
        }
        if digits.isEmpty { point = -count }
        return true
    }

    /// Moves the point to the right by `locations`; false for too many digits.
    mutating func shifted(_ locations: Int) -> Bool {
        point += locations
        guard point <= Self.digitLimit, digits.count - point <= Self.digitLimit else {
            return false
        }
        if digits.isEmpty { point = min(point, 0) }
        return true
    }

    /// Writes a JSON number without an exponent.
    func append(to out: inout [UInt8]) {
        if isNegative, digits.contains(where: { $0 != 0 }) { out.append(UInt8(ascii: "-")) }
        if point <= 0 { out.append(UInt8(ascii: "0")) }
        for index in 0..<max(point, 0) { append(index, to: &out) }
        guard digits.count > point else { return }
        out.append(UInt8(ascii: "."))
        for index in point..<digits.count { append(index, to: &out) }
    }

    /// Missing digits, on either side, are zeros.
    private func append(_ index: Int, to out: inout [UInt8]) {
        let digit = index >= 0 && index < digits.count ? digits[index] : 0
        out.append(UInt8(ascii: "0") + digit)
    }

    /// Adds one to the last digit.
    private mutating func increment() {
        var index = digits.count - 1
        while index >= 0 {
            if digits[index] < 9 {
                digits[index] += 1
                return
            }
            digits[index] = 0
            index -= 1
        }
        digits.insert(1, at: 0)
        point += 1
    }

    /// The exponent after `e`, clamped so that adding it cannot overflow.
    private static func exponent(_ token: [UInt8], _ start: Int, _ end: Int) -> Int {
        var value = 0
        for index in start..<max(start, end) {
            let digit = token[index] &- UInt8(ascii: "0")
            if digit < 10 { value = min(value * 10 + Int(digit), 1 << 40) }
        }
        return start < end && token[start] == UInt8(ascii: "-") ? -value : value
    }

    /// True for exactly the numbers of RFC 8259.
    static func isJSONNumber(_ bytes: [UInt8], _ start: Int, _ end: Int) -> Bool {
        var index = start
        if index < end, bytes[index] == UInt8(ascii: "-") { index += 1 }
        let first = index
        guard skipDigits(bytes, &index, end) else { return false }
        if bytes[first] == UInt8(ascii: "0"), index > first + 1 { return false }
        if index < end, bytes[index] == UInt8(ascii: ".") {
            index += 1
            guard skipDigits(bytes, &index, end) else { return false }
        }
        if index < end, bytes[index] | 0x20 == UInt8(ascii: "e") {
            index += 1
            if index < end, bytes[index] == UInt8(ascii: "+") || bytes[index] == UInt8(ascii: "-") {
                index += 1
            }
            guard skipDigits(bytes, &index, end) else { return false }
        }
        return index == end
    }

    private static func skipDigits(_ bytes: [UInt8], _ index: inout Int, _ end: Int) -> Bool {
        let start = index
        while index < end, bytes[index] &- UInt8(ascii: "0") < 10 { index += 1 }
        return index > start
    }
}
