/// Why an admin server could not be started.
public struct AdminError: Error, Equatable, Sendable, CustomStringConvertible {
    /// What failed, where, and why, in one line.
    public var description: String
    /// True if another port might work: the host is valid.
    public var isAboutPort: Bool

    init(_ description: String, isAboutPort: Bool = false) {
        self.description = description
        self.isAboutPort = isAboutPort
    }
}
