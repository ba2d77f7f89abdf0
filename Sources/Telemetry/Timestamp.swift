/// Writes moments as RFC 3339 does: `2026-01-01T10:00:00.123Z`.
public enum Timestamp {
    /// Milliseconds since 1970, now.
    public static func now() -> Int64 { System.wallClock() }

    /// Writes a moment, given in milliseconds since 1970.
    public static func text(milliseconds: Int64) -> String {
        let seconds = (milliseconds - (milliseconds < 0 ? 999 : 0)) / 1000
        let time = System.civilTime(seconds: seconds)
        let date = "\(pad(time[0], 4))-\(pad(time[1]))-\(pad(time[2]))"
        let clock = "\(pad(time[3])):\(pad(time[4])):\(pad(time[5]))"
        return "\(date)T\(clock).\(pad(milliseconds - seconds * 1000, 3))Z"
    }

    private static func pad(_ number: some BinaryInteger, _ width: Int = 2) -> String {
        let digits = String(number)
        return String(repeating: "0", count: max(0, width - digits.count)) + digits
    }
}
