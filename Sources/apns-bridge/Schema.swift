internal import Arguments
internal import Configuration

/// Prints the JSON Schema of what is written or read.
struct SchemaVerb: Verb {
    /// What there is a schema of.
    enum Subject: String, CaseIterable, ExpressibleByArgument {
        /// The connector file.
        case connector
    }

    private static let subject = Argument<Subject>("subject", help: "What to describe.")

    static let command = Command(
        "schema",
        abstract: "Prints the JSON Schema of a connector file.",
        examples: ["apns-bridge schema connector > connector.schema.json"],
        discussion: """
            JSON Schema, draft 2020-12. An editor that knows YAML checks a connector file while \
            it is written, when the file begins with this line:

              # yaml-language-server: $schema=connector.schema.json
            """,
        arguments: [subject])

    static func run(_ parsed: ParsedCommand) async -> ExitCode {
        switch parsed[subject] {
        case .connector: Console.output(ConnectorSchema.json())
        }
        return .success
    }
}
