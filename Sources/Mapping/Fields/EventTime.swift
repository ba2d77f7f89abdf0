/// Parses points in time in events.
public enum EventTime {
    /// Milliseconds since 1970 for a number of seconds, milliseconds (from 10^11 on), microseconds
    /// (10^14) or nanoseconds (10^17), for a date, or for an ISO 8601 time with an offset; nil for
    /// anything else.
    public static func milliseconds(_ text: String) -> Int64? {
        TimeText.milliseconds(Array(text.utf8))
    }
}
