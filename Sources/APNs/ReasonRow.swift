/// One row of the ``ReasonTable``: what APNs responded, what it means, what is done.
public struct ReasonRow: Equatable, Sendable {
    /// The value of `:status`.
    public var status: Int
    /// The word in the body; empty for none.
    public var reason: String
    /// What is done about it.
    public var reaction: Reaction
    /// True when the connection that brought it is to be drained and replaced.
    public var replacesConnection: Bool
    /// What it means and what to do, in a sentence.
    public var meaning: String

    /// Describes a row.
    public init(
        _ status: Int, _ reason: String, _ reaction: Reaction, replacesConnection: Bool = false,
        _ meaning: String
    ) {
        self.status = status
        self.reason = reason
        self.reaction = reaction
        self.replacesConnection = replacesConnection
        self.meaning = meaning
    }
}
