/// Parses points in time in events.
public enum EventTime {
    /// Milliseconds since 1970 for a string of seconds, milliseconds (from 10^11 on) or an RFC 3339
    /// time with an offset; nil for anything else.
    public static func milliseconds(_ text: String) -> Int64? {
        TimeText.milliseconds(Array(text.utf8))
    }
}
