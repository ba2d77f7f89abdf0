internal import Encoding
internal import JSON

/// Dates and times as text.
extension AvroReader {
    private static let dayOfMillis: Int64 = 86_400_000

    /// Writes a time as RFC 3339 does, with all its digits; what that cannot express becomes null.
    mutating func writeTime(_ kind: AvroNode.Kind, _ value: Int64) {
        switch kind {
        case .date: writeDate(value)
        case .timeOfMillis: writeTimeOfDay(value, .millisecond)
        case .timeOfMicros: writeTimeOfDay(value, .microsecond)
        case .millis: writeInstant(value, .millisecond, isLocal: false)
        case .micros: writeInstant(value, .microsecond, isLocal: false)
        case .nanos: writeInstant(value, .nanosecond, isLocal: false)
        case .localMillis: writeInstant(value, .millisecond, isLocal: true)
        case .localMicros: writeInstant(value, .microsecond, isLocal: true)
        case .localNanos: writeInstant(value, .nanosecond, isLocal: true)
        default: break
        }
    }

    private mutating func writeDate(_ day: Int64) {
        let (start, isOutside) = day.multipliedReportingOverflow(by: Self.dayOfMillis)
        guard !isOutside, let found = times.characters(milliseconds: start) else {
            return text.appendASCII("null")
        }
        text.append(UInt8(ascii: "\""))
        text.append(word: found.0)
        text.append(UInt8(truncatingIfNeeded: found.1))
        text.append(UInt8(truncatingIfNeeded: found.1 >> 8))
        text.append(UInt8(ascii: "\""))
    }

    /// Writes a time of day, if it is one.
    private mutating func writeTimeOfDay(_ value: Int64, _ unit: AvroTimeUnit) {
        let (milliseconds, rest) = value.flooredDivision(by: unit.ofMillisecond)
        guard milliseconds >= 0, milliseconds < Self.dayOfMillis,
            let found = timesOfDay.characters(milliseconds: milliseconds)
        else { return text.appendASCII("null") }
        // The last five characters of eight, behind the date.
        text.append(word: UInt64(UInt8(ascii: "\"")) | (found.1 >> 24) << 8)
        text.removeAll(from: text.count - 2)
        text.append(word: found.2)
        endTime(rest, unit, isLocal: true)
    }

    private mutating func writeInstant(_ value: Int64, _ unit: AvroTimeUnit, isLocal: Bool) {
        let (milliseconds, rest) = value.flooredDivision(by: unit.ofMillisecond)
        guard let found = times.characters(milliseconds: milliseconds) else {
            return text.appendASCII("null")
        }
        text.append(UInt8(ascii: "\""))
        text.append(word: found.0)
        text.append(word: found.1)
        text.append(word: found.2)
        endTime(rest, unit, isLocal: isLocal)
    }

    /// Behind milliseconds and `Z`: writes the digits of a smaller unit in front of that, or
    /// instead of it if the time is local.
    @inline(__always)
    private mutating func endTime(_ rest: Int64, _ unit: AvroTimeUnit, isLocal: Bool) {
        if isLocal || unit.moreDigits > 0 {
            text.removeAll(from: text.count - 1)
            text.appendDigits(UInt64(rest), count: unit.moreDigits)
            if !isLocal { text.append(UInt8(ascii: "Z")) }
        }
        text.append(UInt8(ascii: "\""))
    }
}

/// What times are counted in.
private enum AvroTimeUnit {
    case millisecond, microsecond, nanosecond

    /// How many are a millisecond.
    var ofMillisecond: Int64 {
        switch self {
        case .millisecond: 1
        case .microsecond: 1000
        case .nanosecond: 1_000_000
        }
    }

    /// How many digits it has behind those of milliseconds.
    var moreDigits: Int {
        switch self {
        case .millisecond: 0
        case .microsecond: 3
        case .nanosecond: 6
        }
    }
}
