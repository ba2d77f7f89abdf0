internal import Arguments
internal import Bridge
internal import Configuration
internal import Engine

/// Prints the JSON Schema of an input or output.
struct SchemaVerb: Verb {
    /// What the schema describes.
    enum Subject: String, CaseIterable, ExpressibleByArgument {
        /// The connector file.
        case connector
        /// The process settings: `bridge.yaml`.
        case bridge
        /// The value of a canonical event.
        case event
        /// The value of an outcome.
        case outcome
        /// The value of an unregistered record.
        case unregistered
        /// The file of a gateway for legacy providers.
        case gateway = "legacy-gateway"
        /// The file of a feedback service for legacy providers.
        case feedback = "feedback-service"
    }

    private static let subject = Argument<Subject>("subject", help: "What to describe.")

    static let command = Command(
        "schema",
        abstract: "Prints the JSON Schema of a connector file, an event or a result record.",
        examples: [
            "apns-bridge schema connector > connector.schema.json",
            "apns-bridge schema event > event.schema.json",
            "apns-bridge schema outcome",
        ],
        discussion: """
            JSON Schema, draft 2020-12. An editor with YAML support validates a connector file as \
            you type if the file begins with this line:

              # yaml-language-server: $schema=connector.schema.json
            """,
        arguments: [subject])

    static func run(_ parsed: ParsedCommand) async -> ExitCode {
        let subject = parsed[subject]
        let text: String? =
            switch subject {
            case .connector: ConnectorSchema.json()
            case .bridge: ConnectorSchema.jsonOfProcessSettings()
            case .gateway: ConnectorSchema.json(of: .gateway)
            case .feedback: ConnectorSchema.json(of: .feedback)
            case .event: EventSchema.text
            case .outcome, .unregistered: ResultSchemas.text(named: subject.rawValue)
            }
        guard let text else {
            Console.error("error: the schema '\(subject.rawValue)' is not part of this build")
            return .software
        }
        Console.output(text.hasSuffix("\n") ? text : text + "\n")
        return .success
    }
}
