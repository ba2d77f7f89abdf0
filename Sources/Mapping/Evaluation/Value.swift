/// What a hole gives for one record, before it is written anywhere.
enum Value: BitwiseCopyable {
    case absent
    /// A value of the event; never null.
    case node(Int)
    /// An array of what a path leads to from each element of an array of the event.
    case everyElement(array: Int, rest: Int32)
    case text(TextPiece)
    case number(TextPiece)
    case boolean(Bool)
    /// The record's timestamp in milliseconds since 1970, or another number of ours.
    case time(Int64)
}

/// The JSON type of a value.
enum ValueShape: BitwiseCopyable, Sendable {
    case text, number, boolean, object, array, null

    /// What it is called in explanations.
    var words: String {
        switch self {
        case .text: "a string"
        case .number: "a number"
        case .boolean: "a boolean"
        case .object: "an object"
        case .array: "an array"
        case .null: "null"
        }
    }
}

/// Where a text stands: among the plan's constants, or among what this record brought.
struct TextPiece: BitwiseCopyable {
    var isConstant: Bool
    var start: Int
    var end: Int
}

/// A key or header of the record.
enum Metadata: BitwiseCopyable {
    case absent, invalid
    case text(TextPiece)
}
