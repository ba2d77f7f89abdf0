internal import Arguments
internal import Bridge
internal import Configuration
internal import Telemetry

/// Runs connectors until the process is asked to stop.
struct RunVerb: Verb {
    private static let logFormat = Option<LogFormat?>(
        "log-format", help: "Log output format; text by default.")
    private static let logLevel = Option<LogLevel?>(
        "log-level", help: "Minimum log level; info by default.")

    static let command = Command(
        "run",
        abstract: "Runs connectors: sends a push for each Kafka record and reports its outcome.",
        examples: [
            "apns-bridge run connectors/orders.yaml",
            "apns-bridge run --log-format json connectors",
        ],
        discussion: """
            Checks Kafka, its topics and APNs before consuming anything. On SIGTERM or \
            SIGINT it finishes in-flight pushes within shutdown_deadline, commits offsets and \
            exits 0; a second signal exits immediately. SIGUSR1 releases the \
            mass-invalidation guard; SIGHUP is reserved. Log lines go to standard error.

            Exit codes: 0 stopped; 66 no such file; 69 Kafka or APNs unavailable; \
            78 configuration.
            """,
        options: [ProcessOptions.settings, logFormat, logLevel],
        arguments: [LoadedConnectors.paths])

    static let signals = RunSignals.watched

    static func run(_ parsed: ParsedCommand) async -> ExitCode {
        let paths = parsed[LoadedConnectors.paths]
        guard let process = ProcessOptions.load(paths, parsed) else { return .configuration }
        let logger = Logger(
            label: "apns-bridge", level: parsed[logLevel] ?? process.level,
            format: parsed[logFormat] ?? process.format)
        let signals = RunSignals(logger)
        let listener = Task { await signals.listen() }
        defer { listener.cancel() }
        let loaded = LoadedConnectors.load(paths, mode: .run)
        if !loaded.diagnostics.isEmpty { Console.error(Diagnostic.report(loaded.diagnostics)) }
        if loaded.hasErrors {
            Console.error(Diagnostic.summary(loaded.diagnostics, files: loaded.files.count))
            return loaded.failure(of: paths)
        }
        let status = BridgeStatus()
        let supervisor = Supervisor(
            loaded.connectors, logger: logger, status: status,
            summaryInterval: process.summaryInterval)
        signals.address(supervisor)
        let endpoint = process.admin.map { AdminEndpoint($0, status: status) }
        defer { endpoint?.stop() }
        return await run(supervisor, endpoint, process, logger)
    }

    private static func run(
        _ supervisor: Supervisor, _ endpoint: AdminEndpoint?, _ process: ProcessSettings,
        _ logger: Logger
    ) async -> ExitCode {
        do throws(StartFailure) {
            if let port = try endpoint?.start(process.places), let admin = process.admin {
                logger.info(
                    "admin endpoint listening",
                    metadata: ["host": .string(admin.host), "port": .integer(Int64(port))])
                if !admin.isLoopback {
                    logger.warning(
                        "the admin endpoint has no TLS and is reachable from other machines",
                        metadata: ["action": "put a proxy with TLS before it"])
                }
            }
            _ = try await supervisor.run()
            logger.info("stopped")
            return .success
        } catch {
            Console.error("\(error)\nNothing was started.")
            return error.kind == .configuration ? .configuration : .unavailable
        }
    }
}
