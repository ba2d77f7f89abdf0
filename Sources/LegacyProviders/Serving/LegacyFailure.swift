public import Configuration

/// Why a service for legacy providers could not start.
public struct LegacyFailure: Error, CustomStringConvertible, Sendable {
    /// What the exit code tells.
    public enum Kind: Sendable {
        /// The file is to be changed.
        case configuration
        /// Something outside is not there.
        case unavailable
    }

    /// What the exit code tells.
    public var kind: Kind
    /// Where, what, and what to write instead.
    public var problem: Diagnostic

    /// The problem as `lint` prints one.
    public var description: String { problem.description }

    init(_ kind: Kind, _ problem: Diagnostic) {
        self.kind = kind
        self.problem = problem
    }
}
