/// Parses device tokens outside of events.
public enum DeviceToken {
    /// The token in lower-case hexadecimal digits; nil if it has other characters, or an odd number
    /// of them.
    public static func digits(_ text: String) -> [UInt8]? {
        var bytes = Array(text.utf8)
        return FieldCheck.normalize(token: &bytes) == nil ? bytes : nil
    }
}
