internal import Encoding

/// Parses points in time and durations in events.
enum TimeText {
    /// Milliseconds since 1970 for an epoch number, a date, or an ISO 8601 time with an offset.
    static func milliseconds(_ bytes: [UInt8]) -> Int64? {
        guard let time = instant(bytes), time >= 0 else { return nil }
        return time
    }

    /// Like `milliseconds`, but negative for ISO 8601 times before 1970.
    static func instant(_ bytes: [UInt8]) -> Int64? {
        guard let number = EpochText.wholePart(of: bytes) else { return iso8601(bytes) }
        return milliseconds(epoch: number)
    }

    /// Milliseconds since 1970 for a number whose size says what it counts: seconds below 10^11,
    /// milliseconds below 10^14, microseconds below 10^17, and nanoseconds. Fractions are cut.
    static func milliseconds(epoch: Int64) -> Int64? {
        switch epoch {
        case ..<0: nil
        case ..<100_000_000_000: epoch * 1000
        case ..<100_000_000_000_000: epoch
        case ..<100_000_000_000_000_000: epoch / 1000
        default: epoch / 1_000_000
        }
    }

    /// A point in time of an event or of a file; see ``WrittenTime``.
    static func read(_ bytes: [UInt8]) -> WrittenTime {
        if let number = EpochText.wholePart(of: bytes) { return WrittenTime(epoch: number) }
        if bytes.first == UInt8(ascii: "-") {
            return EpochText.wholePart(of: Array(bytes.dropFirst())) == nil ? .unreadable : .unset
        }
        if bytes.elementsEqual("never".utf8) { return .never }
        return iso8601(bytes).map { WrittenTime(date: $0) } ?? .unreadable
    }

    /// Milliseconds since 1970 for a date and time in UTC: year, month and day; then hour and
    /// minute; then seconds and nanoseconds, as Java writes them. Nil for anything else.
    static func milliseconds(parts: [Int64]) -> Int64? {
        guard [3, 5, 6, 7].contains(parts.count), (1...9999).contains(parts[0]),
            (1...12).contains(parts[1]), (1...length(of: parts[1], parts[0])).contains(parts[2])
        else { return nil }
        let rest = parts.dropFirst(3) + repeatElement(0, count: 7 - parts.count)
        let (hour, minute, second, fraction) = (rest[3], rest[4], rest[5], rest[6])
        guard (0..<24).contains(hour), (0..<60).contains(minute), (0...60).contains(second),
            (0..<1_000_000_000).contains(fraction)
        else { return nil }
        let days = Timestamp.days(year: parts[0], month: parts[1], day: parts[2])
        let seconds = days * 86_400 + hour * 3600 + minute * 60 + second
        return seconds * 1000 + fraction / 1_000_000
    }

    /// Milliseconds for `90s`, `1h30m`, `PT1H30M` or a number of seconds; nil unless positive.
    static func span(_ bytes: [UInt8]) -> Int64? {
        let limit: Int64 = 10_000_000_000
        if let seconds = EpochText.wholePart(of: bytes) {
            return seconds > 0 && seconds < limit ? seconds * 1000 : nil
        }
        if bytes.first == UInt8(ascii: "P") {
            return standardSpan(bytes).flatMap { $0 > 0 && $0 < limit ? $0 * 1000 : nil }
        }
        var total: Int64 = 0
        var number: Int64?
        // Units go from large to small, each at most once.
        var largest = Int64.max
        for byte in bytes {
            if byte.isDigit {
                number = (number ?? 0) * 10 + Int64(byte - UInt8(ascii: "0"))
                if let number, number >= limit { return nil }
                continue
            }
            guard let count = number, let unit = unit(byte), unit < largest else { return nil }
            total += count * unit
            largest = unit
            number = nil
        }
        return number == nil && total > 0 && total < limit ? total * 1000 : nil
    }

    /// Seconds for a duration of ISO 8601 in days, hours, minutes and seconds, whose fraction is
    /// cut: a month or a year has no fixed length.
    private static func standardSpan(_ bytes: [UInt8]) -> Int64? {
        var total: Int64 = 0
        var largest = Int64.max
        var isTime = false
        var start = 1
        for index in 1..<bytes.count {
            let byte = bytes[index]
            if byte == UInt8(ascii: "T") {
                guard !isTime, start == index, index + 1 < bytes.count else { return nil }
                (isTime, start) = (true, index + 1)
                continue
            }
            guard !byte.isDigit, byte != UInt8(ascii: ".") else { continue }
            guard let unit = unit(byte | 0x20), byte != byte | 0x20, unit < largest,
                isTime == (unit < 86_400),
                let count = EpochText.wholePart(of: Array(bytes[start..<index])),
                unit == 1 || !bytes[start..<index].contains(UInt8(ascii: ".")),
                count < 10_000_000_000
            else { return nil }
            total += count * unit
            largest = unit
            start = index + 1
        }
        return start == bytes.count ? total : nil
    }

    private static func unit(_ byte: UInt8) -> Int64? {
        switch byte {
        case UInt8(ascii: "s"): 1
        case UInt8(ascii: "m"): 60
        case UInt8(ascii: "h"): 3600
        case UInt8(ascii: "d"): 86400
        default: nil
        }
    }

    /// The value of a sequence of digits.
    private static func digits(_ bytes: [UInt8], _ start: Int, _ end: Int) -> Int64? {
        guard start < end, end <= bytes.count else { return nil }
        var value: Int64 = 0
        for index in start..<end {
            let digit = bytes[index] &- UInt8(ascii: "0")
            guard digit < 10 else { return nil }
            value = value * 10 + Int64(digit)
        }
        return value
    }

    /// `2026-01-01`, which is midnight in UTC, or a time with an offset, which is required:
    /// `2026-01-01T10:00:00.5+01:00`, also without seconds, and with `+0100` or `+01`.
    private static func iso8601(_ bytes: [UInt8]) -> Int64? {
        guard bytes.count >= 10, bytes[4] == UInt8(ascii: "-"), bytes[7] == UInt8(ascii: "-"),
            let year = digits(bytes, 0, 4), let month = digits(bytes, 5, 7),
            let day = digits(bytes, 8, 10), (1...12).contains(month), day >= 1,
            day <= length(of: month, year)
        else { return nil }
        let midnight = Timestamp.days(year: year, month: month, day: day) * 86_400
        guard bytes.count > 10 else { return midnight * 1000 }
        guard bytes.count >= 17,
            bytes[10] | 0x20 == UInt8(ascii: "t") || bytes[10] == UInt8(ascii: " "),
            bytes[13] == UInt8(ascii: ":"), let hour = digits(bytes, 11, 13),
            let minute = digits(bytes, 14, 16), hour < 24, minute < 60
        else { return nil }
        var index = 16
        var (second, fraction): (Int64, Int64) = (0, 0)
        if bytes[16] == UInt8(ascii: ":") {
            guard bytes.count >= 20, let written = digits(bytes, 17, 19), written <= 60 else {
                return nil
            }
            index = 19
            guard let rest = milliseconds(bytes, &index) else { return nil }
            (second, fraction) = (written, rest)
        }
        guard let offset = offset(bytes, index) else { return nil }
        return (midnight + hour * 3600 + minute * 60 + second - offset) * 1000 + fraction
    }

    private static func milliseconds(_ bytes: [UInt8], _ index: inout Int) -> Int64? {
        guard bytes[index] == UInt8(ascii: ".") || bytes[index] == UInt8(ascii: ",") else {
            return 0
        }
        index += 1
        let start = index
        var value: Int64 = 0
        while index < bytes.count, bytes[index].isDigit {
            if index - start < 3 { value = value * 10 + Int64(bytes[index] - UInt8(ascii: "0")) }
            index += 1
        }
        switch index - start {
        case 0: return nil
        case 1: return value * 100
        case 2: return value * 10
        default: return value
        }
    }

    private static func offset(_ bytes: [UInt8], _ index: Int) -> Int64? {
        guard index < bytes.count else { return nil }
        let sign = bytes[index]
        if sign | 0x20 == UInt8(ascii: "z") { return index + 1 == bytes.count ? 0 : nil }
        guard sign == UInt8(ascii: "+") || sign == UInt8(ascii: "-"),
            let hours = digits(bytes, index + 1, index + 3), hours < 24
        else { return nil }
        var minutes: Int64? = 0
        switch bytes.count - index {
        case 3: break
        case 5: minutes = digits(bytes, index + 3, index + 5)
        case 6 where bytes[index + 3] == UInt8(ascii: ":"):
            minutes = digits(bytes, index + 4, index + 6)
        default: return nil
        }
        guard let minutes, minutes < 60 else { return nil }
        return (hours * 60 + minutes) * 60 * (sign == UInt8(ascii: "-") ? -1 : 1)
    }

    private static func length(of month: Int64, _ year: Int64) -> Int64 {
        switch month {
        case 2: year % 4 == 0 && (year % 100 != 0 || year % 400 == 0) ? 29 : 28
        case 4, 6, 9, 11: 30
        default: 31
        }
    }
}
