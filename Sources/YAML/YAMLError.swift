/// A problem in a YAML file: where it is, what is wrong, and what to write instead.
public struct YAMLError: Error, Equatable, Sendable {
    /// The path of the file, as given.
    public var file: String
    /// Its position.
    public var location: SourceLocation
    /// The number of Unicode scalars at fault; nil if the message quotes them.
    public var length: Int?
    /// What is wrong, in one line.
    public var message: String
    /// What to write instead.
    public var remedy: String?

    /// Creates an error.
    public init(
        file: String, location: SourceLocation, length: Int? = 1, message: String,
        remedy: String? = nil
    ) {
        self.file = file
        self.location = location
        self.length = length
        self.message = message
        self.remedy = remedy
    }
}

extension YAMLError: CustomStringConvertible {
    /// The problem on one line: position, message and remedy.
    public var description: String {
        let text = "\(file):\(location.line):\(location.column): \(message)"
        guard let remedy else { return text }
        return text + "; " + remedy
    }
}
