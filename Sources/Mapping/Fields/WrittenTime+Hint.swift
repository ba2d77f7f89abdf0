internal import JSON
internal import TimeZones

extension WrittenTime {
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
