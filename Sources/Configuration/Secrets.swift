/// Keeps secrets out of messages.
enum Secrets {
    /// Parts of names whose values are secret.
    private static let words = [
        "pass", "pwd", "secret", "jaas", "private", ".pem", "credential", "proxy",
        "sasl.oauthbearer.config", "ssl.key",
    ]

    /// Login properties that are not secret; a name similar to any other one is probably the
    /// misspelled name of a secret.
    private static let harmless: Set = [
        "sasl.mechanism", "sasl.mechanisms", "sasl.username", "sasl.kerberos.principal",
        "sasl.kerberos.service.name", "sasl.kerberos.keytab", "sasl.oauthbearer.method",
        "ssl.ca.location", "ssl.certificate.location", "ssl.cipher.suites",
        "ssl.endpoint.identification.algorithm", "ssl.key.location", "ssl.keystore.location",
    ]

    /// Whether the value of a name is secret.
    static func isSecret(name: String) -> Bool {
        let name = String(name.lowercased().filter { !" \"'".contains($0) })
        if harmless.contains(name) { return false }
        return words.contains { name.contains($0) } || name.hasPrefix("sasl.")
            || name.hasPrefix("seal")
    }

    /// Whether a value or a line may contain a URL with a user or a password, which may itself
    /// contain a slash.
    static func mayContainUser(_ value: String) -> Bool {
        value.contains("://") && value.contains("@")
    }

    /// Whether a line of a connector file may reveal a secret: a secret name whose value is not a
    /// plain reference to a variable or file, a URL with a user or a password, a line of a key, or
    /// any line too long to examine.
    static func mayShow(in line: String) -> Bool {
        if line.utf8.count > 500 || line.contains("-----BEGIN") || looksLikeKey(line) {
            return true
        }
        let rest = withoutReferences(line)
        if mayContainUser(rest) { return true }
        return rest.indices.contains { index in
            guard rest[index] == ":" else { return false }
            let before = rest[..<index]
            let isInBrackets = before.contains("{")
            let name = before.split(whereSeparator: { "{,".contains($0) }).last ?? before
            let after = rest[rest.index(after: index)...]
            let value = isInBrackets ? after.prefix { $0 != "," } : after
            return isSecret(name: String(name)) && !value.allSatisfy { " \"'{}[]".contains($0) }
        }
    }

    /// A line without references to variables and files; those with a default are kept.
    private static func withoutReferences(_ line: String) -> String {
        var scanner = ReferenceScanner(line)
        var result = ""
        while let part = scanner.next() {
            switch part {
            case .text(let text), .other(let text, _, _), .malformed(let text, _, _):
                result += text
            case .escape: result += "$${"
            case .reference(let reference, _): result += reference.fallback == nil ? "" : "default"
            }
        }
        return result
    }

    /// A line that consists of Base64.
    private static func looksLikeKey(_ line: String) -> Bool {
        let text = line.filter { $0 != " " }
        return text.count >= 48
            && text.allSatisfy { $0.isASCII && ($0.isLetter || $0.isNumber || "+/=".contains($0)) }
    }

    /// A string without a value that it may quote.
    static func redact(_ value: String, in text: String) -> String {
        replace(value, by: "…", in: text)
    }

    /// A string without the words of a value that it may quote a part of; a name stays.
    static func redact(partsOf value: String, in text: String, except name: String) -> String {
        let parts = Set(words(of: value).filter { $0.utf8.count >= 3 })
        guard !parts.isEmpty else { return text }
        return split(text, at: name).map { piece in
            var result = ""
            var rest = piece[...]
            while let start = rest.firstIndex(where: isOfWord) {
                result += rest[..<start]
                let word = rest[start...].prefix(while: isOfWord)
                result += parts.contains(word) ? "…" : word
                rest = rest[word.endIndex...]
            }
            return result + rest
        }.joined(separator: name)
    }

    private static func split(_ text: String, at name: String) -> [String] {
        var pieces: [String] = []
        var rest = text[...]
        while !name.isEmpty, let range = rest.firstRange(of: name) {
            pieces.append(String(rest[..<range.lowerBound]))
            rest = rest[range.upperBound...]
        }
        return pieces + [String(rest)]
    }

    private static func words(of text: String) -> [Substring] {
        text.split { !isOfWord($0) }
    }

    private static func isOfWord(_ character: Character) -> Bool {
        character.isLetter || character.isNumber
    }

    /// A string without what is in quotation marks, unless it is allowed.
    static func redactQuotes(in text: String, except isAllowed: (String) -> Bool) -> String {
        var result = ""
        var rest = text[...]
        while let start = rest.firstIndex(where: { "\"'`".contains($0) }) {
            let inner = rest[rest.index(after: start)...]
            let quoted = inner.prefix { $0 != rest[start] }
            let isClosed = quoted.endIndex < inner.endIndex
            let mark = rest[start]
            result += rest[..<start]
            result.append(mark)
            result += isAllowed(String(quoted)) ? String(quoted) : "…"
            if isClosed { result.append(mark) }
            rest = isClosed ? inner[inner.index(after: quoted.endIndex)...] : ""
        }
        return result + rest
    }

    /// A string with a value that it may quote replaced by something else.
    static func replace(_ value: String, by other: String, in text: String) -> String {
        guard !value.isEmpty, text.contains(value) else { return text }
        var rest = Substring(text)
        var result = ""
        while let range = rest.firstRange(of: value) {
            result += rest[..<range.lowerBound] + other
            rest = rest[range.upperBound...]
        }
        return result + rest
    }
}
