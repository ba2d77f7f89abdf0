/// Why an admin server could not be started.
public struct AdminError: Error, Equatable, Sendable, CustomStringConvertible {
    /// What failed, where, and why, in one line.
    public var description: String
    /// Why the address cannot be used.
    public var cause: Cause

    /// Why an address cannot be used.
    public enum Cause: Sendable {
        /// Another process listens there.
        case inUse
        /// This process may not listen on that port.
        case privilegedPort
        /// This machine does not have the address, or the path is not one for a new socket.
        case invalid
    }

    init(_ description: String, _ cause: Cause = .invalid) {
        self.description = description
        self.cause = cause
    }
}
