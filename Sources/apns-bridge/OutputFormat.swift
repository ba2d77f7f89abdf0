public import Arguments
public import Telemetry

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

extension LogFormat: ExpressibleByArgument {}
extension LogLevel: ExpressibleByArgument {}
