/// The closed list of words behind `|`.
enum TransformName: String, CaseIterable {
    case upper, lower, trim, truncate, nonempty, text, number, fixed, shift, date, join, length
    case json, hex, map
    case `default`

    static let list = allCases.map(\.rawValue).joined(separator: ", ")

    /// False for those that are known by name alone.
    var isThere: Bool { self == .default || flat != nil }

    /// What the plan calls it; nil for `default`, which has a value, and for those to come.
    var flat: MappingPlan.Transform? {
        switch self {
        case .upper: .upper
        case .lower: .lower
        case .trim: .trim
        case .nonempty: .nonempty
        case .text: .text
        case .number: .number
        case .json: .json
        case .length: .length
        case .default, .truncate, .fixed, .shift, .date, .join, .hex, .map: nil
        }
    }
}
