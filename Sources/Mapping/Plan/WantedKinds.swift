internal import JSON

/// The kinds of values that a place in the connector takes, and what to write for others.
struct WantedKinds {
    var kinds: JSONShape.Kinds
    /// What they are, such as `a string`.
    var message: String
    /// What to write if no path fits.
    var general: String?

    /// A field of a notification.
    static let text = Self(kinds: [.string, .number], message: "a string")
    /// Between other text.
    static let inText = Self(kinds: [.string, .number, .boolean], message: "a string")
    /// A point in time; an array has its parts, such as `[2026, 1, 31, 10, 0]`.
    static let time = Self(
        kinds: [.string, .number, .array], message: "a time", general: "write the path of a time")
    /// All device tokens.
    static let tokens = Self(kinds: [.string, .array], message: "an array or a string")
    /// The list of a `for_each`.
    static let items = Self(
        kinds: .array, message: "an array", general: "write the path of an array")
    /// The event in a record: `source.event`.
    static let event = Self(
        kinds: [.object, .array, .string], message: "an object or a string that contains one")
    /// What is added by `...`.
    static let members = Self(
        kinds: .object, message: "an object", general: "write the path of an object")

    init(kinds: JSONShape.Kinds, message: String, general: String? = nil) {
        self.kinds = kinds
        self.message = message
        self.general = general
    }

    /// A place in a payload.
    init(_ target: PayloadTarget) {
        kinds =
            switch target {
            case .any: .all
            case .text, .shown, .textOrNull: [.string, .number]
            case .textOrObject: [.string, .number, .object]
            case .object: .object
            case .array: .array
            case .number, .count, .one, .flag, .share, .seconds, .moment: .number
            case .yes: .boolean
            case .interruptionLevel, .activityEvent, .channel, .typeName: .string
            }
        message = target.message
        general = target.remedy
    }

    /// What to write instead of a hole with values of other kinds.
    func remedy(for found: JSONShape.Kinds, _ hole: Template.Hole) -> String? {
        let path = hole.written.dropFirst(2).dropLast()
        if kinds.contains(.string) {
            if found == .boolean, !kinds.contains(.array) { return "write ${\(path) | text}" }
            if found == .array { return "write ${\(path) | join(\", \")}, or one element" }
            if found == .object { return "write the path of one of its members" }
        }
        if kinds == .number, found == .string { return "write \"${\(path) | number}\"" }
        return general
    }
}
