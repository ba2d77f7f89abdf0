internal import JSON
internal import TimeZones

extension WrittenTime {
    /// A value that is not a valid time, as it follows the description of the fault: a number with
    /// what it would be, or a date; empty for what is too long to be either.
    static func specifics(of value: [UInt8]) -> String {
        guard value.count <= 40 else { return "" }
        let hint = hint(for: value).map { ", which is \($0)" } ?? ""
        return " (\(String(decoding: value, as: UTF8.self))\(hint))"
    }

    /// A value that is not a valid duration, likewise; empty for what is not even nearly one.
    static func specifics(ofSpan value: [UInt8]) -> String {
        let letters = Array("0123456789.,+-dhmsDHMSPTWY ".utf8)
        guard value.count <= 20, value.allSatisfy(letters.contains) else { return "" }
        return " (\(String(decoding: value, as: UTF8.self)))"
    }

    /// What a number is in the unit that it was most likely written in, if it is no time from 2001
    /// to 2100: `1970-01-01 in seconds`; nil for anything else.
    static func hint(for token: [UInt8]) -> String? {
        guard let number = EpochText.wholePart(of: token) else { return nil }
        let (unit, scale): (String, Int64)
        switch (WrittenTime(epoch: number), number) {
        case (.tooEarly, _): (unit, scale) = ("seconds", 1)
        case (.outOfRange, ..<(start)): (unit, scale) = ("milliseconds", 1000)
        case (.outOfRange, ..<(start * 1000)): (unit, scale) = ("microseconds", 1_000_000)
        case (.outOfRange, _): (unit, scale) = ("nanoseconds", 1_000_000_000)
        default: return nil
        }
        var zones = ZoneTable()
        guard let zone = zones.zone(named: Array("UTC".utf8)) else { return nil }
        let format = Array("%F".utf8)
        var day: [UInt8] = []
        let seconds = number / scale
        DateFormat.append(
            format, 0, format.count, zones.localTime(of: zone, at: seconds), seconds, to: &day)
        return "\(String(decoding: day, as: UTF8.self)) in \(unit)"
    }
}
