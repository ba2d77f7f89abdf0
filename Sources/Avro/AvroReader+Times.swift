internal import Encoding
internal import JSON

/// Dates and times as text.
extension AvroReader {
    private static let dayOfMillis: Int64 = 86_400_000
    private static let dayOfMicros: Int64 = 86_400_000_000
    private static let dayOfNanos: Int64 = 86_400_000_000_000

    /// Writes a time as RFC 3339 does, with all its digits; what that cannot express becomes null.
    mutating func writeTime(_ kind: AvroNode.Kind, _ value: Int64) {
        switch kind {
        case .date: write(day: value, time: nil)
        case .timeOfMillis: write(time: value, of: Self.dayOfMillis, digits: 3)
        case .timeOfMicros: write(time: value, of: Self.dayOfMicros, digits: 6)
        case .millis, .localMillis:
            write(value, Self.dayOfMillis, digits: 3, isLocal: kind == .localMillis)
        case .micros, .localMicros:
            write(value, Self.dayOfMicros, digits: 6, isLocal: kind == .localMicros)
        case .nanos, .localNanos:
            write(value, Self.dayOfNanos, digits: 9, isLocal: kind == .localNanos)
        default: break
        }
    }

    /// Writes a time of day, if it is one.
    private mutating func write(time: Int64, of day: Int64, digits: Int) {
        guard time >= 0, time < day else { return text.appendASCII("null") }
        text.append(UInt8(ascii: "\""))
        appendTime(time, day, digits: digits)
        text.append(UInt8(ascii: "\""))
    }

    private mutating func write(_ value: Int64, _ day: Int64, digits: Int, isLocal: Bool) {
        let (days, rest) = value.flooredDivision(by: day)
        write(day: days, time: (rest, day, digits, isLocal))
    }

    private mutating func write(
        day: Int64, time: (rest: Int64, day: Int64, digits: Int, isLocal: Bool)?
    ) {
        // From the year 1 to the year 9999.
        guard day >= -719_162, day <= 2_932_896 else { return text.appendASCII("null") }
        let (year, month, dayOfMonth) = Timestamp.civilDate(days: day)
        text.append(UInt8(ascii: "\""))
        appendDigits(year / 100, 2)
        appendDigits(year % 100, 2)
        text.append(UInt8(ascii: "-"))
        appendDigits(month, 2)
        text.append(UInt8(ascii: "-"))
        appendDigits(dayOfMonth, 2)
        if let time {
            text.append(UInt8(ascii: "T"))
            appendTime(time.rest, time.day, digits: time.digits)
            if !time.isLocal { text.append(UInt8(ascii: "Z")) }
        }
        text.append(UInt8(ascii: "\""))
    }

    private mutating func appendTime(_ rest: Int64, _ day: Int64, digits: Int) {
        let second = day / 86_400
        appendDigits(rest / second / 3600, 2)
        text.append(UInt8(ascii: ":"))
        appendDigits(rest / second / 60 % 60, 2)
        text.append(UInt8(ascii: ":"))
        appendDigits(rest / second % 60, 2)
        text.append(UInt8(ascii: "."))
        appendDigits(rest % second, digits)
    }

    private mutating func appendDigits(_ number: Int64, _ count: Int) {
        var power: Int64 = 1
        for _ in 1..<count { power *= 10 }
        while power > 0 {
            text.append(UInt8(ascii: "0") + UInt8(number / power % 10))
            power /= 10
        }
    }
}
