internal import Spelling
internal import YAML

/// Parses a scalar as the type of its key.
enum ScalarReader {
    /// The value; nil when the string is not valid.
    static func value(of text: String, as kind: ConnectorKey.Kind) -> Setting.Value? {
        switch kind {
        case .text:
            text.isEmpty ? nil : .text(text)
        case .word(let words, _):
            words.contains(text) ? .text(text == "sandbox" ? "development" : text) : nil
        case .boolean:
            text == "true" ? .boolean(true) : text == "false" ? .boolean(false) : nil
        case .integer(let range):
            integer(text).flatMap { range.contains($0) ? .integer($0) : nil }
        case .automatic(let range):
            text == "auto" ? .text(text) : value(of: text, as: .integer(range))
        case .choice(let numbers):
            integer(text).flatMap { numbers.contains($0) ? .integer($0) : nil }
        case .number(let range):
            number(text).flatMap { range.contains($0) ? .number($0) : nil }
        case .bytes(let range):
            ByteCount.bytes(text).flatMap { range.contains($0) ? .integer($0) : nil }
        case .duration(let range):
            (text == "0" ? .zero : DurationText.duration(text)).flatMap {
                range.contains($0) ? .duration($0) : nil
            }
        case .rate: PushRate(text: text).map { .rate($0) }
        default: nil
        }
    }

    /// What to write instead of an invalid value.
    static func remedy(for text: String, _ key: ConnectorKey, isSecret: Bool) -> String? {
        guard !isSecret else { return nil }
        switch key.kind {
        case .word(let words, _):
            return Suggestion.question(about: text, among: words)
        case .boolean where ["yes", "on", "y", "True", "TRUE"].contains(text):
            return "write true"
        case .boolean where ["no", "off", "n", "False", "FALSE"].contains(text):
            return "write false"
        case .duration where integer(text) != nil && text != "0":
            return "add a unit: \(text)ms, \(text)s or \(text)m"
        case .rate where integer(text) != nil && text != "0":
            return "add a unit: \(text)/s or \(text)/m"
        default:
            return nil
        }
    }

    /// An integer in decimal notation, as in YAML's core schema.
    private static func integer(_ text: String) -> Int? {
        let digits = text.first == "-" ? text.dropFirst() : Substring(text)
        guard !digits.isEmpty, digits.allSatisfy({ $0.isASCII && $0.isNumber }) else {
            return nil
        }
        return digits.count > 1 && digits.first == "0" ? nil : Int(text)
    }

    /// A number without an exponent.
    private static func number(_ text: String) -> Double? {
        let parts = text.split(separator: ".", omittingEmptySubsequences: false)
        guard parts.count <= 2, integer(String(parts[0])) != nil else { return nil }
        if parts.count == 2 {
            guard !parts[1].isEmpty, parts[1].allSatisfy({ $0.isASCII && $0.isNumber }) else {
                return nil
            }
        }
        return Double(text)
    }
}
