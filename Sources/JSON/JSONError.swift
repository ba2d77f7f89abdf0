/// Why bytes are not valid JSON, and at which byte.
public struct JSONError: Error, Equatable, Sendable {
    /// The offset of the byte at fault.
    public var offset: Int
    /// What is wrong.
    public var message: String

    /// Creates an error.
    public init(offset: Int, message: String) {
        self.offset = offset
        self.message = message
    }
}

extension JSONError: CustomStringConvertible {
    /// A message with the offset.
    public var description: String { "\(message) at byte \(offset)" }
}
