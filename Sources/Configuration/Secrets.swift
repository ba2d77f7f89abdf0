/// Keeps secrets out of messages.
enum Secrets {
    /// Parts of names whose values nobody may see.
    private static let words = [
        "password", "passphrase", "passwd", "secret", "jaas", "private", ".pem", "credential",
        "sasl.oauthbearer.config", "ssl.key",
    ]

    /// Whether a name is one whose value nobody may see.
    static func isSecret(name: String) -> Bool {
        let name = name.lowercased()
        return words.contains { name.contains($0) }
    }

    /// Whether a line of a connector file may show a secret: it names one, and what follows is not
    /// a reference to a variable or a file; or it is a line of a key.
    static func mayShow(in line: String) -> Bool {
        if line.contains("-----BEGIN") || looksLikeKey(line) { return true }
        return names(in: line).contains { name, value in
            isSecret(name: name) && !value.hasPrefix("${") && !value.isEmpty
        }
    }

    /// A line of nothing but Base64.
    private static func looksLikeKey(_ line: String) -> Bool {
        let text = line.filter { $0 != " " }
        return text.count >= 48
            && text.allSatisfy { $0.isASCII && ($0.isLetter || $0.isNumber || "+/=".contains($0)) }
    }

    /// What stands before and after each colon of a line.
    private static func names(in line: String) -> [(String, String)] {
        let parts = line.split(separator: ":", omittingEmptySubsequences: false).map(String.init)
        return zip(parts, parts.dropFirst()).map { name, value in
            (name, String(value.drop { $0 == " " || $0 == "\"" || $0 == "'" }))
        }
    }

    /// A text without a value that it may quote.
    static func redact(_ value: String, in text: String) -> String {
        guard !value.isEmpty, text.contains(value) else { return text }
        var rest = Substring(text)
        var result = ""
        while let range = rest.firstRange(of: value) {
            result += rest[..<range.lowerBound] + "…"
            rest = rest[range.upperBound...]
        }
        return result + rest
    }
}
