/// Why bytes are not a message of a schema, and where.
public struct ProtobufFault: Error, Equatable, CustomStringConvertible {
    /// The path of the field, such as `items[2].price`; empty for the message itself.
    public var path = ""
    /// The offset of the byte at which it begins to be wrong; nil inside an `Any`.
    public var byte: Int?
    /// What is wrong.
    public var message: String

    /// True when the record or its JSON text would be larger than an event may be.
    public var isTooLarge = false

    /// One line for people.
    public var description: String {
        (path.isEmpty ? "" : "\(path): ") + message + (byte.map { " at byte \($0)" } ?? "")
    }
}

/// Why a schema cannot be used.
public struct ProtobufSchemaFault: Error, Equatable, CustomStringConvertible {
    /// What is wrong, and where.
    public var description: String
}
