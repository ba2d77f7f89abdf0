internal import JSON
internal import TimeZones

/// Formats a point in time, conversion by conversion.
struct DateWriter {
    let time: LocalTime
    /// Seconds since 1970.
    let seconds: Int64
    /// False after `%-`: numbers are not padded with zeros or spaces.
    var isPadded = true
    /// True after `%:`.
    var hasColon = false

    init(time: LocalTime, seconds: Int64) {
        self.time = time
        self.seconds = seconds
    }

    func append(_ letter: UInt8, to out: inout [UInt8]) {
        switch letter {
        case UInt8(ascii: "a"): append(Self.days[time.weekday], 3, to: &out)
        case UInt8(ascii: "A"): append(Self.days[time.weekday], 9, to: &out)
        case UInt8(ascii: "b"), UInt8(ascii: "h"): append(Self.months[time.month - 1], 3, to: &out)
        case UInt8(ascii: "B"): append(Self.months[time.month - 1], 9, to: &out)
        case UInt8(ascii: "p"): out.appendASCII(time.hour < 12 ? "AM" : "PM")
        case UInt8(ascii: "P"): out.appendASCII(time.hour < 12 ? "am" : "pm")
        case UInt8(ascii: "D"): appendEach(Self.american, to: &out)
        case UInt8(ascii: "F"): appendEach(Self.international, to: &out)
        case UInt8(ascii: "T"): appendEach(Self.clock, to: &out)
        case UInt8(ascii: "R"): appendEach(Self.shortClock, to: &out)
        case UInt8(ascii: "r"): appendEach(Self.halfDayClock, to: &out)
        case UInt8(ascii: "s"): out.appendDecimal(seconds)
        case UInt8(ascii: "z"): appendOffset(to: &out)
        case UInt8(ascii: "Z"): appendAbbreviation(to: &out)
        case UInt8(ascii: "n"): out.append(0x0A)
        case UInt8(ascii: "t"): out.append(0x09)
        case UInt8(ascii: "%"): out.append(letter)
        default: appendNumber(letter, to: &out)
        }
    }

    private func appendNumber(_ letter: UInt8, to out: inout [UInt8]) {
        let zero = UInt8(ascii: "0")
        let space = UInt8(ascii: " ")
        let half = time.hour % 12 == 0 ? 12 : time.hour % 12
        switch letter {
        case UInt8(ascii: "Y"): append(time.year, 4, zero, to: &out)
        case UInt8(ascii: "C"): append(time.year / 100, 2, zero, to: &out)
        case UInt8(ascii: "y"): append(time.year % 100, 2, zero, to: &out)
        case UInt8(ascii: "m"): append(time.month, 2, zero, to: &out)
        case UInt8(ascii: "d"): append(time.day, 2, zero, to: &out)
        case UInt8(ascii: "e"): append(time.day, 2, space, to: &out)
        case UInt8(ascii: "j"): append(time.yearday, 3, zero, to: &out)
        case UInt8(ascii: "H"): append(time.hour, 2, zero, to: &out)
        case UInt8(ascii: "k"): append(time.hour, 2, space, to: &out)
        case UInt8(ascii: "I"): append(half, 2, zero, to: &out)
        case UInt8(ascii: "l"): append(half, 2, space, to: &out)
        case UInt8(ascii: "M"): append(time.minute, 2, zero, to: &out)
        case UInt8(ascii: "S"): append(time.second, 2, zero, to: &out)
        case UInt8(ascii: "u"): append(time.weekday + 1, 1, zero, to: &out)
        case UInt8(ascii: "w"): append((time.weekday + 1) % 7, 1, zero, to: &out)
        case UInt8(ascii: "U"):
            append((time.yearday + 6 - (time.weekday + 1) % 7) / 7, 2, zero, to: &out)
        case UInt8(ascii: "W"): append((time.yearday + 6 - time.weekday) / 7, 2, zero, to: &out)
        case UInt8(ascii: "V"): append(isoWeek.week, 2, zero, to: &out)
        case UInt8(ascii: "G"): append(isoWeek.year, 4, zero, to: &out)
        case UInt8(ascii: "g"): append(isoWeek.year % 100, 2, zero, to: &out)
        default: break
        }
    }

    private func append(_ number: Int, _ width: Int, _ pad: UInt8, to out: inout [UInt8]) {
        var rest = number
        var length = 1
        while rest >= 10 {
            rest /= 10
            length += 1
        }
        if isPadded { for _ in 0..<max(width - length, 0) { out.append(pad) } }
        out.appendDecimal(number)
    }

    private func append(_ name: [UInt8], _ length: Int, to out: inout [UInt8]) {
        for index in 0..<min(length, name.count) { out.append(name[index]) }
    }

    /// Letters are conversions; other characters are copied.
    private func appendEach(_ letters: [UInt8], to out: inout [UInt8]) {
        for letter in letters {
            if letter | 0x20 >= UInt8(ascii: "a") {
                append(letter, to: &out)
            } else {
                out.append(letter)
            }
        }
    }

    private func appendOffset(to out: inout [UInt8]) {
        let minutes = abs(time.offset) / 60
        out.append(time.offset < 0 ? UInt8(ascii: "-") : UInt8(ascii: "+"))
        append(minutes / 60, 2, UInt8(ascii: "0"), to: &out)
        if hasColon { out.append(UInt8(ascii: ":")) }
        append(minutes % 60, 2, UInt8(ascii: "0"), to: &out)
    }

    private func appendAbbreviation(to out: inout [UInt8]) {
        var letters = time.abbreviation
        while letters != 0 {
            out.append(UInt8(truncatingIfNeeded: letters))
            letters >>= 8
        }
    }

    /// The ISO 8601 week, and the year that it belongs to.
    private var isoWeek: (year: Int, week: Int) {
        let week = (time.yearday - time.weekday + 9) / 7
        if week < 1 { return (time.year - 1, Self.isoWeeks(in: time.year - 1, time, -1)) }
        if week > Self.isoWeeks(in: time.year, time, 0) { return (time.year + 1, 1) }
        return (time.year, week)
    }

    /// The number of weeks in a year: 53 if it starts on a Thursday, or on a Wednesday in a leap
    /// year.
    private static func isoWeeks(in year: Int, _ time: LocalTime, _ step: Int) -> Int {
        let isLeap = year % 4 == 0 && (year % 100 != 0 || year % 400 == 0)
        // The weekday of January 1 in the year of `time`.
        var first = (time.weekday - (time.yearday - 1) % 7 + 7) % 7
        if step < 0 { first = (first - (isLeap ? 366 : 365) % 7 + 7) % 7 }
        return first == 3 || isLeap && first == 2 ? 53 : 52
    }

    private static let days = [
        "Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday", "Sunday",
    ].map { Array($0.utf8) }
    private static let months = [
        "January", "February", "March", "April", "May", "June", "July", "August", "September",
        "October", "November", "December",
    ].map { Array($0.utf8) }
    private static let american = Array("m/d/y".utf8)
    private static let international = Array("Y-m-d".utf8)
    private static let clock = Array("H:M:S".utf8)
    private static let shortClock = Array("H:M".utf8)
    private static let halfDayClock = Array("I:M:S p".utf8)
}
