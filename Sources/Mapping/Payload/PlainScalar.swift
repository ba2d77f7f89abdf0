/// The meaning of an unquoted scalar where any JSON value is allowed.
public enum PlainScalar: Equatable, Sendable {
    /// No value.
    case null
    /// `true` or `false`.
    case boolean(Bool)
    /// A number as JSON writes it.
    case number(String)
    /// Anything else.
    case text(String)
    /// Different readers interpret it differently; the remedy says what to write.
    case ambiguous(remedy: String)

    /// Interprets a plain scalar by YAML 1.2's core schema, and rejects what other schemas
    /// interpret differently.
    public static func read(_ text: String) -> Self {
        switch text {
        case "", "~", "null", "Null", "NULL": return .null
        case "true": return .boolean(true)
        case "false": return .boolean(false)
        default: break
        }
        switch text.lowercased() {
        case "true", "yes", "on", "y": return .ambiguous(remedy: "quote it, or write true")
        case "false", "no", "off", "n": return .ambiguous(remedy: "quote it, or write false")
        case ".inf", "+.inf", "-.inf", ".nan":
            return .ambiguous(remedy: "quote it: it is not a JSON number")
        default: break
        }
        if isJSONNumber(text) { return .number(text) }
        if looksLikeNumber(text) { return .ambiguous(remedy: "quote it, or write it as in JSON") }
        return .text(text)
    }

    /// True for exactly the numbers of RFC 8259.
    static func isJSONNumber(_ text: String) -> Bool {
        text.wholeMatch(of: /-?(0|[1-9][0-9]*)(\.[0-9]+)?([eE][-+]?[0-9]+)?/) != nil
    }

    /// True for numbers of YAML 1.1 and 1.2 that JSON does not support.
    private static func looksLikeNumber(_ text: String) -> Bool {
        let number = /[-+]?(0x[0-9A-Fa-f_]+|0o[0-7_]+|0b[01_]+|[0-9][0-9_]*|[0-9_]*\.[0-9_]*)/
        guard text.contains(where: \.isNumber) else { return false }
        return text.wholeMatch(of: number) != nil
            || text.wholeMatch(of: /[-+]?[0-9][0-9_]*\.?[0-9_]*[eE][-+]?[0-9]+/) != nil
    }
}
