/// Why bytes are not valid JSON, and at which byte.
public struct JSONError: Error, Equatable, Sendable {
    /// The offset of the byte at fault.
    public var offset: Int
    /// What is wrong.
    public var message: String

    /// True when the text may be valid JSON, but is nested too deeply to be read.
    public var isTooDeep: Bool { message == "\(Self.tooDeep)" }

    /// What is wrong with such a text: see ``JSONTape/depthLimit``.
    public static let tooDeep: StaticString = "nested deeper than 64 levels"

    /// What is wrong with a text, in a sentence about it.
    public func description(of text: String) -> String {
        isTooDeep ? "\(text) is \(message)" : "\(text) is not valid JSON: \(message)"
    }

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
