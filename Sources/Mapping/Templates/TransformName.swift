internal import Spelling

/// The words allowed after `|`.
enum TransformName: String, CaseIterable, Sendable, BitwiseCopyable {
    case upper, lower, trim, truncate, nonempty, text, number, fixed, shift, date, join, length
    case json, parse, hex, map, replace, plus, minus, language
    case `default`

    static let list = allCases.map(\.rawValue).joined(separator: ", ")

    /// The values it accepts, as described in explanations.
    var taken: String {
        switch self {
        case .upper, .lower, .trim, .truncate, .nonempty, .hex, .replace: "a string"
        case .parse, .language: "a string"
        case .text, .map: "a string, a number or a boolean"
        case .number: "a number, or a string that is one"
        case .fixed, .shift: "a number"
        case .plus, .minus: "a whole number"
        case .date: "a time"
        case .join: "an array of strings, numbers and booleans"
        case .length: "a string, an array or an object"
        case .json, .default: "everything"
        }
    }

    /// True when it accepts an array.
    var takesArray: Bool {
        switch self {
        case .join, .length, .json, .default: true
        default: false
        }
    }

    /// An example of its syntax.
    var example: String {
        switch self {
        case .upper, .lower, .trim, .nonempty, .text, .number, .length, .json, .parse, .hex,
            .language:
            "| \(rawValue)"
        case .truncate: "| truncate(40)"
        case .fixed: "| fixed(2)"
        case .shift: "| shift(-2)"
        case .plus: "| plus(1)"
        case .minus: "| minus(1)"
        case .replace: "| replace(\"-\", \" \")"
        case .date: "| date(\"%H:%M\", \"Europe/Berlin\")"
        case .join: "| join(\", \")"
        case .map: "| map(shipped = \"On its way\", else = \"Updated\")"
        case .default: "| default(\"text\")"
        }
    }

    /// What to write instead of an unknown word, if known.
    static func remedy(unknown name: String) -> String? {
        if name == "parse_json" || name == "fromjson" {
            return "write | parse; if the whole event is in a string, event: ${path} in 'source'"
        }
        return Suggestion.nearest(to: name, among: allCases.map(\.rawValue)).map {
            "did you mean '\($0)'?"
        }
    }
}
