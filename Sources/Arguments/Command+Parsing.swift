internal import Spelling

extension Command {
    /// Parses the words of a command line, without the program's name.
    public func parse(_ words: [String]) throws(UsageError) -> Invocation {
        var reader = CommandLineReader(command: self, words: words[...])
        if words.first == "help", !subcommands.isEmpty {
            reader.words = words.dropFirst() + ["--help"]
        }
        return try reader.read()
    }
}

/// Parses one command line from left to right.
private struct CommandLineReader {
    var command: Command
    var words: ArraySlice<String>
    var title: String
    var parsed = ParsedCommand()
    var positional: [String] = []

    init(command: Command, words: ArraySlice<String>) {
        self.command = command
        self.words = words
        title = command.name
    }

    mutating func read() throws(UsageError) -> Invocation {
        while let word = words.popFirst() {
            if word == "--" {
                positional += words
                words = []
            } else if word == "--help" || word == "-h" {
                return .help(command.helpText(title: title))
            } else if word.hasPrefix("-"), word.count > 1 {
                try readNamed(word)
            } else {
                try readPoint(word)
            }
        }
        try check()
        return .run(parsed)
    }

    /// Parses `--name`, `--name VALUE`, `--name=VALUE`, or the same with a short name.
    private mutating func readNamed(_ word: String) throws(UsageError) {
        let parts = word.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
        let written = String(parts[0])
        guard let definition = command.named.first(where: { $0.spellings.contains(written) })
        else {
            let near = Suggestion.ending(for: written, among: command.named.flatMap(\.spellings))
            throw error("unknown option '\(written)'\(near)")
        }
        try take(definition, value: parts.count > 1 ? String(parts[1]) : nil, as: written)
    }

    /// Stores an option or a flag; the next word is its value if it needs one.
    private mutating func take(
        _ definition: Definition, value: String?, as written: String
    ) throws(UsageError) {
        guard let valueName = definition.valueName else {
            if let value { throw error("\(written) takes no value, but '\(value)' was given") }
            parsed.words[definition.key] = []
            return
        }
        let word: String
        if let value { word = value } else { word = try nextValue(named: valueName, as: written) }
        if let problem = definition.problem(word) { throw error("\(written): \(problem)") }
        parsed.words[definition.key, default: []].append(word)
    }

    private mutating func nextValue(
        named name: String, as written: String
    ) throws(UsageError) -> String {
        guard let next = words.first else { throw error("\(written) needs a value: \(name)") }
        guard !next.hasPrefix("-") || next == "-" || Double(next) != nil else {
            let remedy = "if '\(next)' is the value, write '\(written)=\(next)'"
            throw error("\(written) needs a value: \(name); \(remedy)")
        }
        words.removeFirst()
        return next
    }

    /// Parses a word without dashes: a subcommand or an argument.
    private mutating func readPoint(_ word: String) throws(UsageError) {
        guard positional.isEmpty, !command.subcommands.isEmpty else {
            positional.append(word)
            return
        }
        if let next = command.subcommands.first(where: { $0.name == word }) {
            command = next
            title += " \(word)"
            parsed.path.append(word)
        } else if command.arguments.isEmpty {
            let near = Suggestion.ending(for: word, among: command.subcommands.map(\.name))
            throw error("unknown command '\(word)'\(near)")
        } else {
            positional.append(word)
        }
    }

    /// Assigns the words without dashes to the arguments, and reports missing ones.
    private mutating func check() throws(UsageError) {
        if command.requiresSubcommand {
            let names = command.subcommands.map(\.name).joined(separator: ", ")
            throw error("missing command: one of \(names)")
        }
        var rest = positional[...]
        for definition in command.arguments.map(\.definition) {
            let taken = definition.isRepeating ? rest : rest.prefix(1)
            rest = rest.dropFirst(taken.count)
            for word in taken {
                guard let problem = definition.problem(word) else { continue }
                throw error("\(definition.valueName ?? definition.name): \(problem)")
            }
            if taken.isEmpty, definition.isRequired {
                let name = definition.valueName ?? definition.name
                throw error("\(name) is missing: \(definition.phrase)")
            }
            parsed.words[definition.key] = Array(taken)
        }
        if let extra = rest.first { throw error("unexpected '\(extra)'") }
        for definition in command.options.map(\.definition)
        where definition.isRequired && parsed.words[definition.key] == nil {
            throw error("\(definition.key) is missing: \(definition.phrase)")
        }
    }

    private func error(_ message: String) -> UsageError {
        UsageError(message: message, usage: command.usageLine(title: title), command: title)
    }
}

extension Suggestion {
    /// The end of a message about an unknown word: a question, or nothing when no word is near.
    static func ending(for word: String, among known: [String]) -> String {
        nearest(to: word, among: known).map { "; did you mean '\($0)'?" } ?? ""
    }
}

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
