/// Why a connector was not started: one line for people, and whether waiting may help.
public struct StartFailure: Error, Equatable, Sendable, CustomStringConvertible {
    /// Whose fault it is.
    public enum Kind: Sendable {
        /// Something in the connector file, or in the cluster's topics, must be changed.
        case configuration
        /// Kafka or APNs can not be reached now.
        case unavailable
    }

    /// Whose fault it is.
    public var kind: Kind
    /// What is wrong, where, and what to do.
    public var description: String

    /// Describes a failure.
    public init(_ kind: Kind, _ description: String) {
        self.kind = kind
        self.description = description
    }
}
