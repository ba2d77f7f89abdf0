internal import Arguments
internal import Configuration

/// Reports unregistered device tokens to providers that use Apple's old binary interface.
struct FeedbackServiceVerb: Verb {
    private static let file = Argument<String>(
        "file", completion: .file, help: "A file whose name ends in .feedback-service.yaml.")

    static let command = Command(
        LegacyFile.Kind.feedback.rawValue,
        abstract: "Serves unregistered device tokens over Apple's old binary interface.",
        examples: [
            "apns-bridge feedback-service connectors/providers.feedback-service.yaml",
            "apns-bridge schema feedback-service > feedback-service.schema.json",
        ],
        discussion: """
            When a provider connects, it receives the device tokens of its app that became \
            unregistered since its last fetch; a fetch is complete once the provider closes the \
            connection. SIGTERM or SIGINT aborts fetches that are in progress and exits 0. \
            Log lines go to standard error.

            Exit codes: 0 stopped; 66 no such file; 69 Kafka or the port unavailable; \
            78 configuration.
            """,
        options: LegacyRun.options, arguments: [file])

    static let signals = LegacyRun.signals

    static func run(_ parsed: ParsedCommand) async -> ExitCode {
        await LegacyRun.run(.feedback, path: parsed[file], parsed)
    }
}
