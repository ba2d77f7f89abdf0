internal import Encoding

extension TemplateParser {
    /// Recognizes the syntax of other programs between `${` and `}`, and suggests ours.
    func refuseForeign(_ start: Int, _ end: Int) throws(TemplateFault) {
        if peek() == "!" {
            throw TemplateFault(
                offset: start, message: "'${!' is Redpanda syntax, which is not supported here",
                remedy: Self.remedy(bloblang: text(index + 1, end)))
        }
        var ahead = 0
        while let next = peek(ahead), isStart(next) || next.isDigit || next == "-" { ahead += 1 }
        guard ahead > 0, peek(ahead) == ":" else { return }
        let name = text(index, index + ahead)
        if name == "env" || name == "file" {
            throw TemplateFault(
                offset: start, message: "'${\(name):' cannot be resolved here",
                remedy: "write ${\(name):NAME} or ${\(name):NAME ?? \"text\"}")
        }
        let rest = text(index + ahead + 1, end)
        throw TemplateFault(
            offset: start,
            message: "unknown source '\(name):': only 'env:' and 'file:' are available",
            remedy: "for an environment variable write \(Self.variable(name, rest))")
    }

    func text(_ start: Int, _ end: Int) -> String {
        String(String.UnicodeScalarView(characters[min(start, end)..<end]))
    }

    /// The equivalent of `${VAR:default}`, `${VAR:-default}` and `${secrets:VAR}`.
    private static func variable(_ name: String, _ rest: String) -> String {
        let isVariable = name.allSatisfy { $0.isUppercase || $0.isNumber || $0 == "_" }
        guard isVariable else { return rest.isEmpty ? "${env:NAME}" : "${env:\(rest)}" }
        let value = rest.hasPrefix("-") ? rest.dropFirst() : rest[...]
        return value.isEmpty ? "${env:\(name)}" : "${env:\(name) ?? \"\(value)\"}"
    }

    /// The path equivalent to an interpolation of Redpanda Connect.
    private static func remedy(bloblang text: String) -> String {
        let call = /\s*(json|meta|metadata)\(\s*["']([^"']+)["']\s*\)\s*/
        if let match = text.wholeMatch(of: call) {
            let name = String(match.2)
            return match.1 == "json" ? "write ${\(name)}" : "write ${\(metadata(named: name))}"
        }
        if let match = text.wholeMatch(of: /\s*this\.([A-Za-z0-9_.\-]+)\s*/) {
            return "write ${\(match.1)}"
        }
        return "write ${a.b} for json(\"a.b\"), ${@headers.x} for meta(\"x\")"
    }

    private static func metadata(named name: String) -> String {
        switch name {
        case "kafka_key": "@key"
        case "kafka_topic": "@topic"
        case "kafka_partition": "@partition"
        case "kafka_offset": "@offset"
        case "kafka_timestamp_ms", "kafka_timestamp_unix": "@timestamp"
        default:
            name.wholeMatch(of: /[A-Za-z_][A-Za-z0-9_\-]*/) == nil
                ? "@headers[\"\(name)\"]" : "@headers.\(name)"
        }
    }

    /// A path followed by brackets is meant as a function call.
    func refuseCall(of name: String) throws(TemplateFault) {
        guard follows("(") else { return }
        let remedy =
            TransformName(rawValue: name) == nil
            ? TransformName.remedy(unknown: name) ?? "transforms follow '|': "
                + TransformName.list
            : "write ${path | \(name)}"
        throw TemplateFault(
            offset: index - name.unicodeScalars.count,
            message: "unknown function '\(name)'", remedy: remedy)
    }
}
