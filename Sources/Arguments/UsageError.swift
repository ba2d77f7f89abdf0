/// A command line that was not understood.
public struct UsageError: Error, Equatable, Sendable, CustomStringConvertible {
    /// What is wrong, and what to write instead.
    public var message: String
    /// The usage line of the command that was being read.
    public var usage: String
    /// The whole of the command that was being read: `apns-bridge run`.
    public var command: String

    /// Three lines for standard error.
    public var description: String {
        "error: \(message)\nUsage: \(usage)\nSee '\(command) --help'."
    }
}
