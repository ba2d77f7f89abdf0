/// What a scalar without quotation marks means where any JSON value may stand.
public enum PlainScalar: Equatable, Sendable {
    /// Nothing at all.
    case null
    /// `true` or `false`.
    case boolean(Bool)
    /// A number as JSON writes it.
    case number(String)
    /// Anything else.
    case text(String)
    /// It means different things to different readers; the text says what to write.
    case ambiguous(remedy: String)

    /// Reads a plain scalar by YAML 1.2's core schema, and refuses what other schemas read.
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

    /// True for exactly what RFC 8259 calls a number.
    static func isJSONNumber(_ text: String) -> Bool {
        text.wholeMatch(of: /-?(0|[1-9][0-9]*)(\.[0-9]+)?([eE][-+]?[0-9]+)?/) != nil
    }

    /// True for numbers of YAML 1.1 and 1.2 that JSON does not have.
    private static func looksLikeNumber(_ text: String) -> Bool {
        let number = /[-+]?(0x[0-9A-Fa-f_]+|0o[0-7_]+|0b[01_]+|[0-9][0-9_]*|[0-9_]*\.[0-9_]*)/
        guard text.contains(where: \.isNumber) else { return false }
        return text.wholeMatch(of: number) != nil
            || text.wholeMatch(of: /[-+]?[0-9][0-9_]*\.?[0-9_]*[eE][-+]?[0-9]+/) != nil
    }
}
