internal import Arguments

/// One verb of the command line.
protocol Verb: Sendable {
    /// How it is called, what it takes, and its help.
    static var command: Command { get }
    /// Does it, and tells how it ended.
    static func run(_ parsed: ParsedCommand) async -> ExitCode
}
