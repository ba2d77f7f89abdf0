/// Formats times: RFC 3339 in UTC with milliseconds.
public enum Timestamp {
    /// Appends `2026-01-01T10:00:00.123Z` for milliseconds since 1970.
    public static func append(milliseconds: Int64, to bytes: inout [UInt8]) {
        let (days, rest) = milliseconds.flooredDivision(by: 86_400_000)
        let (year, month, day) = civilDate(days: days)
        appendPadded(year, 4, to: &bytes)
        bytes.append(UInt8(ascii: "-"))
        appendPadded(month, 2, to: &bytes)
        bytes.append(UInt8(ascii: "-"))
        appendPadded(day, 2, to: &bytes)
        bytes.append(UInt8(ascii: "T"))
        appendPadded(rest / 3_600_000, 2, to: &bytes)
        bytes.append(UInt8(ascii: ":"))
        appendPadded(rest / 60_000 % 60, 2, to: &bytes)
        bytes.append(UInt8(ascii: ":"))
        appendPadded(rest / 1000 % 60, 2, to: &bytes)
        bytes.append(UInt8(ascii: "."))
        appendPadded(rest % 1000, 3, to: &bytes)
        bytes.append(UInt8(ascii: "Z"))
    }

    /// A time as a string.
    public static func text(milliseconds: Int64) -> String {
        var bytes: [UInt8] = []
        append(milliseconds: milliseconds, to: &bytes)
        return String(decoding: bytes, as: UTF8.self)
    }

    /// The year, month and day of a number of days since 1970-01-01, in the Gregorian calendar.
    /// Source: Howard Hinnant, *chrono-Compatible Low-Level Date Algorithms*, `civil_from_days`.
    public static func civilDate(days: Int64) -> (year: Int64, month: Int64, day: Int64) {
        let (era, dayOfEra) = (days + 719_468).flooredDivision(by: 146_097)
        let yearOfEra =
            (dayOfEra - dayOfEra / 1460 + dayOfEra / 36524 - dayOfEra / 146_096) / 365
        let dayOfYear = dayOfEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
        let shiftedMonth = (5 * dayOfYear + 2) / 153
        let month = shiftedMonth < 10 ? shiftedMonth + 3 : shiftedMonth - 9
        let year = yearOfEra + era * 400 + (month <= 2 ? 1 : 0)
        return (year, month, dayOfYear - (153 * shiftedMonth + 2) / 5 + 1)
    }

    /// The number of days since 1970-01-01 of a date in the Gregorian calendar: the inverse of
    /// ``civilDate(days:)``; `month` is 1 to 12.
    /// Source: Howard Hinnant, *chrono-Compatible Low-Level Date Algorithms*, `days_from_civil`.
    public static func days(year: Int64, month: Int64, day: Int64) -> Int64 {
        let shiftedYear = month <= 2 ? year - 1 : year
        let (era, yearOfEra) = shiftedYear.flooredDivision(by: 400)
        let dayOfYear = (153 * (month > 2 ? month - 3 : month + 9) + 2) / 5 + day - 1
        let dayOfEra = yearOfEra * 365 + yearOfEra / 4 - yearOfEra / 100 + dayOfYear
        return era * 146_097 + dayOfEra - 719_468
    }

    private static func appendPadded(_ number: Int64, _ width: Int, to bytes: inout [UInt8]) {
        var limit: Int64 = 10
        for _ in 1..<width {
            if number < limit { bytes.append(UInt8(ascii: "0")) }
            limit *= 10
        }
        bytes.append(contentsOf: String(number).utf8)
    }
}

extension Int64 {
    /// Quotient and remainder by a positive divisor, the remainder never negative.
    public func flooredDivision(by divisor: Int64) -> (Int64, Int64) {
        let (quotient, remainder) = quotientAndRemainder(dividingBy: divisor)
        return remainder < 0 ? (quotient - 1, remainder + divisor) : (quotient, remainder)
    }
}
