internal import Arguments
internal import Configuration

/// Accepts pushes from providers that use Apple's old binary interface.
struct LegacyGatewayVerb: Verb {
    private static let file = Argument<String>(
        "file", completion: .file, help: "A file whose name ends in .legacy-gateway.yaml.")

    static let command = Command(
        LegacyFile.Kind.gateway.rawValue,
        abstract: "Accepts pushes from providers that speak Apple's old binary interface.",
        examples: [
            "apns-bridge legacy-gateway connectors/providers.legacy-gateway.yaml",
            "apns-bridge schema legacy-gateway > legacy-gateway.schema.json",
        ],
        discussion: """
            Accepts TLS connections with client certificates, and writes each push as a \
            canonical event to a topic that a connector without 'notification' reads. On SIGTERM \
            or SIGINT it stops reading, reports to each provider the last push stored in Kafka and \
            exits 0; another, a second later, exits immediately. Log lines go to standard error.

            Exit codes: 0 stopped; 66 no such file; 69 Kafka or the port unavailable; \
            78 configuration.
            """,
        options: LegacyRun.options, arguments: [file])

    static let signals = LegacyRun.signals

    static func run(_ parsed: ParsedCommand) async -> ExitCode {
        await LegacyRun.run(.gateway, path: parsed[file], parsed)
    }
}
