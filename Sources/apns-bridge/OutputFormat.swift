internal import Arguments

/// Who reads a result.
enum OutputFormat: String, CaseIterable, ExpressibleByArgument {
    /// People.
    case text
    /// Programs.
    case json

    /// The option of every verb whose result a program may read.
    static let option = Option<OutputFormat>(
        "format", default: .text, help: "Output format.")
}
