/// A mistake in a notification block or an event pattern.
public struct MappingProblem: Error, Hashable, Sendable {
    /// Its position.
    public var location: MappingLocation
    /// What is wrong.
    public var message: String
    /// What to write instead, if known.
    public var remedy: String?
    /// True for something that works, but probably not as intended.
    public var isWarning: Bool

    /// Creates a problem.
    public init(
        location: MappingLocation, message: String, remedy: String? = nil, isWarning: Bool = false
    ) {
        self.location = location
        self.message = message
        self.remedy = remedy
        self.isWarning = isWarning
    }
}
