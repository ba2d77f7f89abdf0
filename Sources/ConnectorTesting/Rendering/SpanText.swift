/// Formats durations.
enum SpanText {
    private static let units: [(name: String, seconds: Int64)] = [
        ("d", 86400), ("h", 3600), ("m", 60), ("s", 1),
    ]

    /// In the notation of connector files: `4h`, `1h30m`.
    static func compact(seconds: Int64) -> String {
        var rest = max(0, seconds)
        var text = ""
        for unit in units where rest >= unit.seconds {
            text += "\(rest / unit.seconds)\(unit.name)"
            rest %= unit.seconds
        }
        return text.isEmpty ? "0s" : text
    }

    /// The two largest nonzero units: `3 h 58 min`, `45 s`; only days from a hundred days on.
    static func message(milliseconds: Int64) -> String {
        let seconds = max(0, milliseconds) / 1000
        guard let first = units.firstIndex(where: { seconds >= $0.seconds }) else { return "0 s" }
        let count = seconds / units[first].seconds
        let large = "\(count) \(word(first))"
        guard first + 1 < units.count, first > 0 || count < 100 else { return large }
        let small = seconds % units[first].seconds / units[first + 1].seconds
        return small == 0 ? large : "\(large) \(small) \(word(first + 1))"
    }

    private static func word(_ unit: Int) -> String {
        units[unit].name == "m" ? "min" : units[unit].name
    }
}
