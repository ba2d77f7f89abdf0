/// Points in time as events write them.
public enum EventTime {
    /// Milliseconds since 1970 for seconds, milliseconds (from 10^11 on) or RFC 3339 with an
    /// offset; nil for anything else.
    public static func milliseconds(_ text: String) -> Int64? {
        TimeText.milliseconds(Array(text.utf8))
    }
}
