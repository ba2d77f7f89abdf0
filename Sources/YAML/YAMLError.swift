/// Something that is wrong with a YAML text: where, what, and what to write instead.
public struct YAMLError: Error, Equatable, Sendable {
    /// The path of the file, as it was given.
    public var file: String
    /// Where it is.
    public var place: SourcePlace
    /// How many Unicode scalars are meant; nil where the message quotes them itself.
    public var length: Int?
    /// What is wrong, in one line.
    public var message: String
    /// What to write instead.
    public var remedy: String?

    /// Describes a mistake.
    public init(
        file: String, place: SourcePlace, length: Int? = 1, message: String, remedy: String? = nil
    ) {
        self.file = file
        self.place = place
        self.length = length
        self.message = message
        self.remedy = remedy
    }
}

extension YAMLError: CustomStringConvertible {
    /// The mistake in one line: place, message and remedy.
    public var description: String {
        let text = "\(file):\(place.line):\(place.column): \(message)"
        guard let remedy else { return text }
        return text + "; " + remedy
    }
}
