/// A command line that could not be parsed.
public struct UsageError: Error, Equatable, Sendable, CustomStringConvertible {
    /// What is wrong, and what to write instead.
    public var message: String
    /// The usage line of the command being parsed.
    public var usage: String
    /// The full name of the command being parsed: `apns-bridge run`.
    public var command: String

    /// Three lines to print to standard error.
    public var description: String {
        "error: \(message)\nUsage: \(usage)\nSee '\(command) --help'."
    }
}
