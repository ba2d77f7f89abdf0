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

    /// What to do, if that is all but certain.
    public var hint: String?

    /// One line for people.
    public var description: String {
        (path.isEmpty ? "" : "\(path): ") + message + (byte.map { " at byte \($0)" } ?? "")
            + (hint.map { ": \($0)" } ?? "")
    }
}

/// Why a schema cannot be used.
public struct ProtobufSchemaFault: Error, Equatable, CustomStringConvertible {
    /// What is wrong.
    public var message: String
    /// The line and the column in the text, from 1; nil if they are not known.
    public var location: Location?
    /// The name of the file that is imported and at fault; nil for the schema itself.
    public var file: String?

    /// A location in a text.
    public struct Location: Equatable, Sendable {
        /// The line, from 1.
        public var line: Int
        /// The column, from 1.
        public var column: Int
    }

    /// What is wrong, and where.
    public var description: String {
        (file.map { "\($0.prefix(512)): " } ?? "") + message
            + (location.map { " at line \($0.line), column \($0.column)" } ?? "")
    }
}
