/// The value of a hole for one record, before it is written.
enum Value: BitwiseCopyable {
    case absent
    /// A value of the event; never null.
    case node(Int)
    /// An array of the values that a path leads to from each element of an array of the event.
    case everyElement(array: Int, rest: Int32)
    case text(TextPiece)
    case number(TextPiece)
    case boolean(Bool)
    /// The record's timestamp in milliseconds since 1970, or another computed number.
    case time(Int64)
}

/// The JSON type of a value.
enum ValueShape: BitwiseCopyable, Sendable {
    case text, number, boolean, object, array, null

    /// Its name in explanations.
    var message: String {
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

/// The location of a string: in the plan's constants, or in this record's buffers.
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
