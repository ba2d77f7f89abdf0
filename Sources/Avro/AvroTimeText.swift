internal import Encoding

/// Dates and times in text as numbers of Avro's logical types.
enum AvroTimeText {
    /// The number that a text stands for; nil if it is not one of the type, or has too many digits.
    static func value(_ text: String, _ kind: AvroNode.Kind) -> Int64? {
        switch kind {
        case .date: days(text[...])
        case .timeOfMillis: time(text[...], digits: 3)
        case .timeOfMicros: time(text[...], digits: 6)
        case .millis: instant(text, digits: 3, isLocal: false)
        case .micros: instant(text, digits: 6, isLocal: false)
        case .nanos: instant(text, digits: 9, isLocal: false)
        case .localMillis: instant(text, digits: 3, isLocal: true)
        case .localMicros: instant(text, digits: 6, isLocal: true)
        case .localNanos: instant(text, digits: 9, isLocal: true)
        default: nil
        }
    }

    private static func instant(_ text: String, digits: Int, isLocal: Bool) -> Int64? {
        let parts = text.split(separator: "T", omittingEmptySubsequences: false)
        guard parts.count == 2, let days = days(parts[0]) else { return nil }
        var clock = parts[1]
        var minutes: Int64 = 0
        if !isLocal {
            guard let (end, offset) = zone(of: clock) else { return nil }
            clock = clock[..<end]
            minutes = offset
        }
        guard let time = time(clock, digits: digits) else { return nil }
        let second = power(digits)
        let seconds = days * 86_400 - minutes * 60
        let (product, overflow) = seconds.multipliedReportingOverflow(by: second)
        let (sum, carries) = product.addingReportingOverflow(time)
        return overflow || carries ? nil : sum
    }

    /// Where the zone begins, and its minutes east of Greenwich.
    private static func zone(of clock: Substring) -> (end: Substring.Index, minutes: Int64)? {
        if clock.hasSuffix("Z") { return (clock.index(before: clock.endIndex), 0) }
        guard let sign = clock.lastIndex(where: { $0 == "+" || $0 == "-" }) else { return nil }
        let parts = clock[clock.index(after: sign)...].split(separator: ":")
        guard parts.count == 2, let hours = number(parts[0], 2, 0...23),
            let minutes = number(parts[1], 2, 0...59)
        else { return nil }
        return (sign, (hours * 60 + minutes) * (clock[sign] == "-" ? -1 : 1))
    }

    /// The days since 1970 of a date.
    private static func days(_ text: Substring) -> Int64? {
        let parts = text.split(separator: "-", omittingEmptySubsequences: false)
        guard parts.count == 3, let year = number(parts[0], 4, 1...9999),
            let month = number(parts[1], 2, 1...12), let day = number(parts[2], 2, 1...31)
        else { return nil }
        let days = Timestamp.days(year: year, month: month, day: day)
        return Timestamp.civilDate(days: days) == (year, month, day) ? days : nil
    }

    /// The time of a day, in units of so many decimals of a second.
    private static func time(_ text: Substring, digits: Int) -> Int64? {
        let halves = text.split(separator: ".", omittingEmptySubsequences: false)
        let parts = halves[0].split(separator: ":", omittingEmptySubsequences: false)
        guard halves.count <= 2, parts.count == 3, let hour = number(parts[0], 2, 0...23),
            let minute = number(parts[1], 2, 0...59), let second = number(parts[2], 2, 0...59)
        else { return nil }
        var fraction: Int64 = 0
        if halves.count == 2 {
            guard halves[1].count <= digits,
                let part = number(halves[1], halves[1].count, 0...999_999_999)
            else { return nil }
            fraction = part * power(digits - halves[1].count)
        }
        return ((hour * 60 + minute) * 60 + second) * power(digits) + fraction
    }

    private static func number(
        _ text: Substring, _ count: Int, _ range: ClosedRange<Int64>
    ) -> Int64? {
        guard text.utf8.count == count, text.allSatisfy({ "0"..."9" ~= $0 }),
            let value = Int64(text), range.contains(value)
        else { return nil }
        return value
    }

    private static func power(_ digits: Int) -> Int64 {
        (0..<digits).reduce(1) { power, _ in power * 10 }
    }
}

extension AvroNode.Kind {
    /// True for dates and times.
    var isTime: Bool {
        switch self {
        case .date, .timeOfMillis, .timeOfMicros, .millis, .micros, .nanos: true
        case .localMillis, .localMicros, .localNanos: true
        default: false
        }
    }
}
