internal import Arguments

/// The format of a result.
enum OutputFormat: String, CaseIterable, ExpressibleByArgument {
    /// For people.
    case text
    /// For programs.
    case json

    /// The option of every command with machine-readable results.
    static let option = Option<OutputFormat>(
        "format", default: .text, help: "Output format.")
}
