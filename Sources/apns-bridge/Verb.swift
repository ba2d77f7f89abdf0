internal import Arguments

/// One verb of the command line.
protocol Verb: Sendable {
    /// How it is called, what it takes, and its help.
    static var command: Command { get }
    /// The signals that it handles itself, from the first moment of the process on.
    static var signals: [Int32] { get }
    /// Does it, and tells how it ended.
    static func run(_ parsed: ParsedCommand) async -> ExitCode
}

extension Verb {
    static var signals: [Int32] { [] }
}
