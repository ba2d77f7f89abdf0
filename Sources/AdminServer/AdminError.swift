/// Why an admin server could not be started.
public struct AdminError: Error, Equatable, Sendable, CustomStringConvertible {
    /// What failed, where, and why, in one line.
    public var description: String

    init(_ description: String) { self.description = description }
}
