internal import Arguments
internal import Configuration
internal import EventLoop
internal import LegacyProviders

/// Accepts pushes from providers that speak Apple's old binary interface.
struct LegacyGatewayVerb: Verb {
    private static let file = Argument<String>(
        "file", completion: .file, help: "A file whose name ends in .legacy-gateway.yaml.")

    static let command = Command(
        LegacyFile.Kind.gateway.rawValue,
        abstract: "Accepts pushes from providers that speak Apple's old binary interface.",
        examples: [
            "apns-bridge legacy-gateway connectors/legacy.legacy-gateway.yaml",
            "apns-bridge schema legacy-gateway > legacy-gateway.schema.json",
        ],
        discussion: """
            Accepts TLS connections with client certificates, and writes each push as a \
            canonical event to a topic that a connector without 'notification' reads. On SIGTERM \
            or SIGINT it stops reading, reports to each provider the last push stored in Kafka and \
            exits 0; a second signal exits immediately. Log lines go to standard error.

            Exit codes: 0 stopped; 66 no such file; 69 Kafka or the port unavailable; \
            78 configuration.
            """,
        options: LegacyRun.options, arguments: [file])

    static let signals = LegacyRun.signals

    static func run(_ parsed: ParsedCommand) async -> ExitCode {
        let path = parsed[file]
        let loaded = LegacyFile.gateway(path: path, environment: ProcessEnvironment.variables)
        guard let settings = loaded.settings else {
            return LegacyRun.refuse(loaded.diagnostics, path)
        }
        let gateway = LegacyGateway(settings, logger: LegacyRun.logger(parsed))
        return await LegacyRun.run(stop: gateway.stop) { (listening) throws(LegacyFailure) in
            switch try gateway.run(listening: { _ in listening() }) {
            case .stopped: return .success
            case .broken(let reason):
                Console.error("error: librdkafka reported a fatal error: \(reason)")
                return .unavailable
            }
        }
    }
}
