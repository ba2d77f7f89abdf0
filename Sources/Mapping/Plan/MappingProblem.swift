/// A mistake in a notification block or an event pattern.
public struct MappingProblem: Error, Hashable, Sendable {
    /// Where it is.
    public var place: MappingPlace
    /// What is wrong.
    public var message: String
    /// What to write instead, where that is known.
    public var remedy: String?
    /// True for something that works but probably not as it was meant.
    public var isWarning: Bool

    /// Describes a mistake.
    public init(
        place: MappingPlace, message: String, remedy: String? = nil, isWarning: Bool = false
    ) {
        self.place = place
        self.message = message
        self.remedy = remedy
        self.isWarning = isWarning
    }
}
