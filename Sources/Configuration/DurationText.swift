internal import Delivery

/// Durations such as `500ms`, `90s`, `30m`, `4h`, `7d`, `1h30m`.
public enum DurationText {
    /// Units from the longest to the shortest, in nanoseconds: what is read here may overflow.
    static let units: [(name: String, nanoseconds: UInt64)] = [
        ("d", 86_400_000_000_000), ("h", 3_600_000_000_000), ("m", 60_000_000_000),
        ("s", 1_000_000_000), ("ms", 1_000_000),
    ]

    /// The duration; nil when the string is not one: units must decrease, each at most once.
    public static func duration(_ text: String) -> Duration? {
        var rest = Substring(text)
        var total: UInt64 = 0
        var next = 0
        while !rest.isEmpty {
            let digits = rest.prefix { $0.isASCII && $0.isNumber }
            rest = rest.dropFirst(digits.count)
            let name = rest.prefix { $0.isASCII && $0.isLetter }
            rest = rest.dropFirst(name.count)
            guard
                let number = UInt64(digits),
                let unit = units.indices.first(where: { $0 >= next && units[$0].name == name })
            else { return nil }
            let (part, tooLarge) = number.multipliedReportingOverflow(by: units[unit].nanoseconds)
            let (sum, overflow) = total.addingReportingOverflow(part)
            guard !tooLarge, !overflow, sum <= Int64.max else { return nil }
            total = sum
            next = unit + 1
        }
        return text.isEmpty ? nil : .nanoseconds(Int64(total))
    }

    /// The shortest notation of a duration; fractions of a millisecond are dropped.
    public static func text(_ duration: Duration) -> String {
        var rest = UInt64(max(0, duration.nanoseconds))
        var text = ""
        for unit in units where rest >= unit.nanoseconds {
            text += "\(rest / unit.nanoseconds)\(unit.name)"
            rest %= unit.nanoseconds
        }
        return text.isEmpty ? "0s" : text
    }
}
