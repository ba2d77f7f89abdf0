/// Formats times that are close together: the date of the last one is reused.
public struct TimestampWriter: Sendable {
    private static let day: Int64 = 86_400_000
    /// The first millisecond of the year 1.
    private static let first: Int64 = -62_135_596_800_000
    /// The last millisecond of the year 9999: later years have five digits.
    private static let last: Int64 = 253_402_300_799_999

    private var days = Int64.min
    /// `2026-01-` of the last date, the first character in the lowest byte.
    private var month: UInt64 = 0
    /// `01T` of the last date.
    private var dayOfMonth: UInt64 = 0

    /// Creates a writer.
    public init() {}

    /// The 24 characters of `2026-01-01T10:00:00.123Z` for milliseconds since 1970, eight in each
    /// number, the first in the lowest byte; nil outside of the years 1 to 9999.
    public mutating func characters(
        milliseconds: Int64
    ) -> (UInt64, UInt64, UInt64)? {
        guard milliseconds >= Self.first, milliseconds <= Self.last else { return nil }
        let (day, rest) = milliseconds.flooredDivision(by: Self.day)
        if day != days { learn(day) }
        let colon = UInt64(UInt8(ascii: ":"))
        let hours = Self.digits(rest / 3_600_000) | colon << 16
        let minutes = Self.digits(rest / 60_000 % 60)
        let seconds = Self.digits(rest / 1000 % 60) | UInt64(UInt8(ascii: ".")) << 16
        let fraction = rest % 1000
        let tenths = UInt64(UInt8(ascii: "0")) + UInt64(fraction / 100)
        let end = tenths | Self.digits(fraction % 100) << 8 | UInt64(UInt8(ascii: "Z")) << 24
        return (
            month, dayOfMonth | hours << 24 | minutes << 48,
            colon | seconds << 8 | end << 32
        )
    }

    private mutating func learn(_ newDays: Int64) {
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
