/// Why bytes are no JSON text, and at which byte.
public struct JSONError: Error, Equatable, Sendable {
    /// The number of bytes before the one that is wrong.
    public var offset: Int
    /// What is wrong there, in words.
    public var message: String

    /// Names a fault and its place.
    public init(offset: Int, message: String) {
        self.offset = offset
        self.message = message
    }
}

extension JSONError: CustomStringConvertible {
    /// The fault and its place, for people.
    public var description: String { "\(message) at byte \(offset)" }
}
