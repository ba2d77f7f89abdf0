/// A number with a fixed count of decimals, for reports.
enum Decimals {
    /// The text, without grouping; `0` for what is not finite.
    static func text(_ value: Double, _ digits: Int) -> String {
        var power = 1.0
        for _ in 0..<digits { power *= 10 }
        let scaled = (value * power).rounded()
        guard scaled.isFinite, scaled.magnitude < 9e15 else { return "0" }
        let number = Int64(scaled)
        guard digits > 0 else { return String(number) }
        let (whole, part) = number.magnitude.quotientAndRemainder(dividingBy: UInt64(power))
        let text = String(part)
        let zeros = String(repeating: "0", count: digits - text.count)
        return (number < 0 ? "-" : "") + "\(whole).\(zeros)\(text)"
    }
}
