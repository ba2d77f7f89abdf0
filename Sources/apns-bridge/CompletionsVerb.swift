internal import Arguments

/// Prints a shell script with completions for this command line.
struct CompletionsVerb: Verb {
    private static let shell = Argument<CompletionShell>(
        "shell", help: "The shell to generate completions for.")

    static let command = Command(
        "completions",
        abstract: "Prints a shell completion script.",
        examples: [
            "apns-bridge completions bash > ~/.local/share/bash-completion/completions/apns-bridge",
            "apns-bridge completions zsh > \"${fpath[1]}/_apns-bridge\"",
            "apns-bridge completions fish > ~/.config/fish/completions/apns-bridge.fish",
        ],
        arguments: [shell])

    static func run(_ parsed: ParsedCommand) async -> ExitCode {
        Console.output(parsed[shell].script(for: APNsBridge.command))
        return .success
    }
}
