/// Formats times that are close together: date and second of the last one are reused.
public struct TimestampWriter: Sendable {
    private static let day: Int64 = 86_400_000
    /// The first millisecond of the year 1.
    private static let first: Int64 = -62_135_596_800_000
    /// The last millisecond of the year 9999: later years have five digits.
    private static let last: Int64 = 253_402_300_799_999

    /// The second of the last time: most have one in common with the time before.
    private var second = Int64.min
    private var days = Int64.min
    /// `2026-01-` of the last date, the first character in the lowest byte.
    private var month: UInt64 = 0
    /// `01T` of the last date.
    private var dayOfMonth: UInt64 = 0
    /// `01T10:00` and `:00.` of the last second.
    private var minutes: UInt64 = 0
    private var seconds: UInt64 = 0

    /// Creates a writer.
    public init() {}

    /// The 24 characters of `2026-01-01T10:00:00.123Z` for milliseconds since 1970, eight in each
    /// number, the first in the lowest byte; nil outside of the years 1 to 9999.
    public mutating func characters(
        milliseconds: Int64
    ) -> (UInt64, UInt64, UInt64)? {
        guard milliseconds >= Self.first, milliseconds <= Self.last else { return nil }
        let (second, fraction) = milliseconds.flooredDivision(by: 1000)
        if second != self.second { learn(second: second) }
        let tenths = UInt64(UInt8(ascii: "0")) + UInt64(fraction / 100)
        let end = tenths | Self.digits(fraction % 100) << 8 | UInt64(UInt8(ascii: "Z")) << 24
        return (month, minutes, seconds | end << 32)
    }

    private mutating func learn(second: Int64) {
        self.second = second
        let (day, rest) = second.flooredDivision(by: Self.day / 1000)
        if day != days { learn(day: day) }
        let colon = UInt64(UInt8(ascii: ":"))
        let hours = Self.digits(rest / 3600) | colon << 16
        minutes = dayOfMonth | hours << 24 | Self.digits(rest / 60 % 60) << 48
        seconds = colon | Self.digits(rest % 60) << 8 | UInt64(UInt8(ascii: ".")) << 24
    }

    private mutating func learn(day newDays: Int64) {
        days = newDays
        let (year, month, day) = Timestamp.civilDate(days: newDays)
        let dash = UInt64(UInt8(ascii: "-"))
        self.month =
            Self.digits(year / 100) | Self.digits(year % 100) << 16 | dash << 32
            | Self.digits(month) << 40 | dash << 56
        dayOfMonth = Self.digits(day) | UInt64(UInt8(ascii: "T")) << 16
    }

    /// The two digits of a number below 100.
    private static func digits(_ number: Int64) -> UInt64 {
        let zero = UInt64(UInt8(ascii: "0"))
        return zero + UInt64(number / 10) | (zero + UInt64(number % 10)) << 8
    }
}
