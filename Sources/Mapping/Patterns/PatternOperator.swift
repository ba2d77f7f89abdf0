internal import Spelling

/// The operators of event patterns, by their names in the connector file.
enum PatternOperator: String, CaseIterable {
    case prefix
    case suffix
    case equalsIgnoreCase = "equals-ignore-case"
    case wildcard
    case numeric
    case version
    case exists
    case addressRange = "cidr"
    case anythingBut = "anything-but"

    /// The operators that `anything-but` accepts.
    static var deniable: [Self] { [.prefix, .suffix, .equalsIgnoreCase, .wildcard] }

    /// What to write instead of an unknown operator.
    static func remedy(for name: String) -> String {
        switch name.lowercased() {
        case "contains": return "write {wildcard: \"*text*\"}"
        case "regex", "regexp", "matches", "like":
            return "regular expressions are not supported; write {wildcard: \"order.*\"}"
        case "equals", "eq", "is", "in": return "write the values themselves: [a, b]"
        case "not", "ne", "not-equals", "none-of": return "write {anything-but: [a, b]}"
        case "gt", "gte", "lt", "lte", "range", "between", "=", "<", "<=", ">", ">=":
            return "write {numeric: [\">=\", 0, \"<\", 5]}; for versions {version: \">=5.10 <6\"}"
        default: break
        }
        let known = allCases.map(\.rawValue)
        return Suggestion.question(about: name, among: known)
            ?? "the operators are \(known.joined(separator: ", "))"
    }
}
