/// Why a simulator could not be set up.
public struct SimulatorError: Error, Equatable, Sendable, CustomStringConvertible {
    /// The kind of failure.
    public enum Code: Sendable {
        /// The port is in use or not permitted.
        case addressUnavailable
        /// The host is unknown, or its address does not belong to this machine.
        case hostUnavailable
        /// The system has no thread for it.
        case resources
        /// A file in the state folder cannot be read, written or parsed.
        case state
        /// The scenario does not exist, cannot be read or is invalid.
        case scenario
        /// The file of provider keys, or a key in it, cannot be read or parsed.
        case keys
        /// A key or a certificate could not be created.
        case identity
    }

    /// The kind of failure.
    public var code: Code
    /// What failed, where, and what to do, in one line.
    public var description: String

    /// Creates an error.
    public init(_ code: Code, _ description: String) {
        self.code = code
        self.description = description
    }
}
