/// Why a simulator could not be set up.
public struct SimulatorError: Error, Equatable, Sendable, CustomStringConvertible {
    /// What kind of failure it is.
    public enum Code: Sendable {
        /// The port is in use or may not be used.
        case addressUnavailable
        /// The host is unknown, or no address of this machine.
        case hostUnavailable
        /// A file of the state folder cannot be read, written or understood.
        case state
        /// The scenario is not there, cannot be read or has a mistake in it.
        case scenario
        /// The file of provider keys, or a key that it names, cannot be read or understood.
        case keys
        /// A key or a certificate could not be made.
        case identity
    }

    /// What kind of failure it is.
    public var code: Code
    /// What failed, where, and what to do, in one line.
    public var description: String

    /// Describes a failure.
    public init(_ code: Code, _ description: String) {
        self.code = code
        self.description = description
    }
}
