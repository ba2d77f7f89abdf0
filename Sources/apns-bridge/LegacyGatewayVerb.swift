internal import Arguments
internal import Configuration

/// Takes pushes of providers that speak Apple's old binary interface.
struct LegacyGatewayVerb: Verb {
    private static let file = Argument<String>(
        "file", completion: .file, help: "A file whose name ends in .legacy-gateway.yaml.")

    static let command = Command(
        LegacyFile.Kind.gateway.rawValue,
        abstract: "Takes pushes of providers that speak Apple's old binary interface.",
        examples: [
            "apns-bridge legacy-gateway connectors/legacy.legacy-gateway.yaml",
            "apns-bridge schema legacy-gateway > legacy-gateway.schema.json",
        ],
        discussion: """
            Listens with TLS for providers with client certificates, and writes each push as a \
            canonical event to a topic, which a connector without notification reads. SIGTERM or \
            SIGINT: nothing more is read, each provider is told its last push that Kafka has, \
            exit 0; a second signal ends at once. Log lines go to standard error.

            Exit codes: 0 stopped; 66 no such file; 69 Kafka or the port unavailable; \
            78 configuration.
            """,
        options: LegacyRun.options, arguments: [file])

    static let signals = LegacyRun.signals

    static func run(_ parsed: ParsedCommand) async -> ExitCode {
        await LegacyRun.run(.gateway, path: parsed[file], parsed)
    }
}
