internal import Arguments

/// A command of the command line.
protocol Verb: Sendable {
    /// Its name, options, arguments and help.
    static var command: Command { get }
    /// The signals that it handles itself, from the start of the process.
    static var signals: [Int32] { get }
    /// Runs it, and returns the exit code.
    static func run(_ parsed: ParsedCommand) async -> ExitCode
}

extension Verb {
    static var signals: [Int32] { [] }
}
