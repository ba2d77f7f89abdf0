/// A parsed command line.
public struct ParsedCommand: Sendable {
    /// The words that selected the command, without the program's name.
    public internal(set) var path: [String] = []
    var words: [String: [String]] = [:]

    /// The value of a declared option.
    public subscript<Value>(option: Option<Value>) -> Value {
        value(of: option.definition, option.decode)
    }

    /// The value of a declared argument.
    public subscript<Value>(argument: Argument<Value>) -> Value {
        value(of: argument.definition, argument.decode)
    }

    /// True when the flag was given.
    public subscript(flag: Flag) -> Bool { words["--\(flag.definition.name)"] != nil }

    private func value<Value>(
        of definition: Definition, _ decode: ([String]) -> Value?
    ) -> Value {
        guard let value = decode(words[definition.key] ?? []) else {
            preconditionFailure("'\(definition.name)' is not declared by the command that ran")
        }
        return value
    }
}

/// The result of parsing a command line.
public enum Invocation: Sendable {
    /// Run a command.
    case run(ParsedCommand)
    /// Show this text.
    case help(String)
}
