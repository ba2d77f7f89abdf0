/// A shell that completions can be generated for.
public enum CompletionShell: String, CaseIterable, ExpressibleByArgument {
    case bash
    case zsh
    case fish

    /// The script that provides completions for a command.
    public func script(for command: Command) -> String {
        let locations = CompletionPoint.all(in: command)
        let name = "_" + String(command.name.map { $0.isLetter || $0.isNumber ? $0 : "_" })
        return switch self {
        case .bash: Self.bashScript(program: command.name, function: name, locations)
        case .zsh: Self.zshScript(program: command.name, function: name, locations)
        case .fish: Self.fishScript(program: command.name, function: name, locations)
        }
    }

    /// A string in single quotes.
    static func quoted(_ text: String) -> String {
        let parts = text.split(separator: "'", omittingEmptySubsequences: false)
        return "'" + parts.joined(separator: "'\\''") + "'"
    }

    /// Words separated by spaces, in single quotes.
    static func quoted(_ words: [String]) -> String { quoted(words.joined(separator: " ")) }
}

/// A command and the words leading to it.
struct CompletionPoint {
    /// The words after the program's name, each preceded by a space.
    var path: String
    var command: Command

    /// Every command, from the root down.
    static func all(in command: Command, path: String = "") -> [Self] {
        [Self(path: path, command: command)]
            + command.subcommands.flatMap { all(in: $0, path: "\(path) \($0.name)") }
    }

    /// The branches of a shell's `case` that lead from each command to its subcommands.
    static func steps(_ locations: [Self]) -> String {
        locations.dropFirst().map { "            \(CompletionShell.quoted($0.path))) at=$next ;;" }
            .joined(separator: "\n")
    }

    /// The branches that offer the values of each option; `opening` precedes them.
    static func values(
        _ locations: [Self], opening: String, _ offer: (Definition) -> String
    ) -> String {
        let branches = locations.flatMap { location in
            location.valued.map { value in
                let names = value.spellings.map { CompletionShell.quoted("\(location.path) \($0)") }
                let pattern = opening + names.joined(separator: "|")
                return "        \(pattern)) \(offer(value)); return ;;"
            }
        }
        return branches.joined(separator: "\n")
    }

    /// The options with values.
    var valued: [Definition] { command.named.filter { $0.valueName != nil } }

    /// The meaning of a word without dashes, as far as a shell can know.
    var argument: Definition? { command.arguments.last?.definition }
}
