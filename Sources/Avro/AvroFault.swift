/// Why bytes are not a record of a schema, and where.
public struct AvroFault: Error, Equatable, CustomStringConvertible {
    /// The path of the field, such as `order.items[2].price`; empty for the record itself.
    public var path: String
    /// The offset of the byte at which it begins to be wrong.
    public var byte: Int
    /// What is wrong.
    public var message: String

    /// True when the JSON text would be larger than an event may be.
    public var isTooLarge = false

    /// A fault without a path.
    @inline(never)
    init(_ message: String, at byte: Int) {
        path = ""
        self.byte = byte
        self.message = message
    }

    /// Creates a fault of a value that is written.
    init(path: String, byte: Int, message: String) {
        self.path = path
        self.byte = byte
        self.message = message
    }

    /// One line for people.
    public var description: String {
        (path.isEmpty ? "" : "\(path): ") + "\(message) at byte \(byte)"
    }
}

/// Why a schema cannot be used.
public struct AvroSchemaFault: Error, Equatable, CustomStringConvertible {
    /// What is wrong, and in which type.
    public var message: String
    /// The offset in the text at which it is not JSON.
    public var byte: Int?

    init(_ message: String, byte: Int? = nil) {
        self.message = message
        self.byte = byte
    }

    /// One line for people.
    public var description: String { message + (byte.map { " at byte \($0)" } ?? "") }
}
