public import Configuration

/// Why a service for legacy providers could not start.
public struct LegacyFailure: Error, CustomStringConvertible, Sendable {
    /// Determines the exit code.
    public enum Kind: Sendable {
        /// The file must be changed.
        case configuration
        /// Something external is not available.
        case unavailable
    }

    /// Determines the exit code.
    public var kind: Kind
    /// Where, what, and what to write instead.
    public var problem: Diagnostic

    /// The problem as `lint` prints it.
    public var description: String { problem.description }

    init(_ kind: Kind, _ problem: Diagnostic) {
        self.kind = kind
        self.problem = problem
    }
}
