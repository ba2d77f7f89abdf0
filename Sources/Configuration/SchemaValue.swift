/// A small JSON value that preserves the order of members, for writing schemas.
indirect enum SchemaValue: Sendable {
    case text(String)
    case number(String)
    case boolean(Bool)
    case array([SchemaValue])
    case object([(name: String, value: SchemaValue)])

    /// A schema of objects that have these members.
    static func requiring(_ names: [String]) -> SchemaValue {
        .object([("required", .array(names.map(SchemaValue.text)))])
    }

    /// The value as JSON, indented by two spaces per level.
    func json(indent: String = "") -> String {
        let inner = indent + "  "
        switch self {
        case .text(let text): return Self.quoted(text)
        case .number(let digits): return digits
        case .boolean(let flag): return flag ? "true" : "false"
        case .array(let elements):
            let texts = elements.map { $0.json(indent: inner) }
            guard texts.contains(where: { $0.hasPrefix("{\n") }) else {
                return "[\(texts.joined(separator: ", "))]"
            }
            return "[\n\(texts.map { inner + $0 }.joined(separator: ",\n"))\n\(indent)]"
        case .object(let members):
            let lines = members.map { member in
                "\(inner)\(Self.quoted(member.name)): \(member.value.json(indent: inner))"
            }
            return lines.isEmpty ? "{}" : "{\n\(lines.joined(separator: ",\n"))\n\(indent)}"
        }
    }

    private static func quoted(_ text: String) -> String {
        var result = "\""
        for scalar in text.unicodeScalars {
            switch scalar {
            case "\"": result += "\\\""
            case "\\": result += "\\\\"
            case "\n": result += "\\n"
            default: result.unicodeScalars.append(scalar)
            }
        }
        return result + "\""
    }
}
