internal import Arguments
internal import Configuration

/// Checks connector files: all that `run` checks when it loads them, and every problem in one go.
struct LintVerb: Verb {
    private static let strict = Flag("strict", help: "Warnings count too: exit 1.")

    static let command = Command(
        "lint",
        abstract: "Checks connector files without starting anything.",
        examples: [
            "apns-bridge lint connectors", "apns-bridge lint --strict connectors/orders.yaml",
        ],
        discussion: """
            Finds all that run finds when it loads connectors; Kafka and APNs are not asked. \
            An environment variable that is not set, or a file that is not there, is a warning \
            here and an error in run. Findings go to standard output, their count to standard \
            error.

            Exit codes: 0 clean, or warnings only; 1 a warning, with --strict; 66 no such file; \
            78 an error.
            """,
        flags: [strict], arguments: [LoadedConnectors.paths])

    static func run(_ parsed: ParsedCommand) async -> ExitCode {
        let paths = parsed[LoadedConnectors.paths]
        let loaded = LoadedConnectors.load(paths, mode: .lint)
        if !loaded.diagnostics.isEmpty {
            Console.output(Diagnostic.report(loaded.diagnostics) + "\n")
        }
        Console.error(Diagnostic.summary(loaded.diagnostics, files: loaded.files.count))
        if loaded.hasErrors { return loaded.failure(of: paths) }
        return parsed[strict] && !loaded.diagnostics.isEmpty ? .failure : .success
    }
}
