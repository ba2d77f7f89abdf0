/// A shell for which completions can be written.
public enum CompletionShell: String, CaseIterable, ExpressibleByArgument {
    case bash
    case zsh
    case fish

    /// The script that teaches the shell every word of a command.
    public func script(for command: Command) -> String {
        let places = CompletionPlace.all(in: command)
        return switch self {
        case .bash: Self.bashScript(program: command.name, places)
        case .zsh: Self.zshScript(program: command.name, places)
        case .fish: Self.fishScript(program: command.name, places)
        }
    }

    /// The name of the script's function: letters, digits and underscores only.
    static func function(_ program: String) -> String {
        "_" + String(program.map { $0.isLetter || $0.isNumber ? $0 : "_" })
    }

    /// A text between single quotes.
    static func quoted(_ text: String) -> String {
        "'" + text.split(separator: "'", omittingEmptySubsequences: false).joined(separator: "'\\''")
            + "'"
    }
}

/// One command and the words that lead to it.
struct CompletionPlace {
    /// The words after the program's name, each with a blank before it.
    var path: String
    var command: Command

    /// Every command, from the root down.
    static func all(in command: Command, path: String = "") -> [Self] {
        [Self(path: path, command: command)]
            + command.subcommands.flatMap { all(in: $0, path: "\(path) \($0.name)") }
    }

    /// What takes a value by name.
    var valued: [Definition] { command.named.filter { $0.valueName != nil } }

    /// What a shell offers for a word without dashes.
    var argument: Definition? { command.arguments.last?.definition }

    /// The words that an argument takes, when they can be listed.
    var argumentChoices: [String] { argument?.choices ?? [] }

    /// Every way to write an option or a flag.
    static func spellings(_ definition: Definition) -> [String] {
        ["--\(definition.name)"] + (definition.short.map { ["-\($0)"] } ?? [])
    }
}
