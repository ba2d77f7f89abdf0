internal import CCCTZ

/// A point in time in the calendar of a time zone.
public struct LocalTime: Hashable, Sendable, BitwiseCopyable {
    /// The year of the Gregorian calendar.
    public var year: Int
    /// The month, from 1 to 12.
    public var month: Int
    /// The day of the month, from 1.
    public var day: Int
    /// The hour, from 0 to 23.
    public var hour: Int
    /// The minute, from 0 to 59.
    public var minute: Int
    /// The second, from 0 to 59.
    public var second: Int
    /// The day of the week, from 0 for Monday to 6.
    public var weekday: Int
    /// The day of the year, from 1.
    public var yearday: Int
    /// Seconds east of Greenwich.
    public var offset: Int
    /// The abbreviation of the zone's name at that time, such as `CEST`, from the lowest byte up.
    public var abbreviation: UInt64

    init(_ time: cctz_local_time) {
        year = Int(time.year)
        month = Int(time.month)
        day = Int(time.day)
        hour = Int(time.hour)
        minute = Int(time.minute)
        second = Int(time.second)
        weekday = Int(time.weekday)
        yearday = Int(time.yearday)
        offset = Int(time.offset)
        abbreviation = time.abbreviation
    }
}
