internal import Arguments
internal import Bridge
internal import Configuration
internal import Engine
internal import Telemetry

/// Runs connectors until the process is asked to stop.
struct RunVerb: Verb {
    private static let logFormat = Option<LogFormat>(
        "log-format", default: .text, help: "Log output format.")
    private static let logLevel = Option<LogLevel>(
        "log-level", default: .info, help: "Minimum log level.")

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
        options: [logFormat, logLevel], arguments: [LoadedConnectors.paths])

    static let signals = RunSignals.watched

    static func run(_ parsed: ParsedCommand) async -> ExitCode {
        let logger = Logger(
            label: "apns-bridge", level: parsed[logLevel], format: parsed[logFormat])
        let signals = RunSignals(logger)
        let listener = Task { await signals.listen() }
        defer { listener.cancel() }
        let paths = parsed[LoadedConnectors.paths]
        let loaded = LoadedConnectors.load(paths, mode: .run)
        if !loaded.diagnostics.isEmpty { Console.error(Diagnostic.report(loaded.diagnostics)) }
        if loaded.hasErrors {
            Console.error(Diagnostic.summary(loaded.diagnostics, files: loaded.files.count))
            return loaded.failure(of: paths)
        }
        let supervisor = Supervisor(loaded.connectors, logger: logger)
        signals.address(supervisor)
        return await run(supervisor, logger)
    }

    private static func run(_ supervisor: Supervisor, _ logger: Logger) async -> ExitCode {
        do throws(StartFailure) {
            let counters = try await supervisor.run()
            logger.info("stopped", metadata: counters.metadata)
            return .success
        } catch {
            Console.error("\(error)\nNothing was started.")
            return error.kind == .configuration ? .configuration : .unavailable
        }
    }
}

extension EngineCounters {
    /// The counters as a log line carries them.
    var metadata: Logger.Metadata {
        [
            "records": .integer(Int64(records)), "accepted": .integer(Int64(accepted)),
            "rejected": .integer(Int64(rejected)), "dropped": .integer(Int64(dropped)),
            "unknown": .integer(Int64(unknown)), "filtered": .integer(Int64(filtered)),
            "without_time": .integer(Int64(withoutTime)),
            "new_responses": .integer(Int64(newResponses)),
        ]
    }
}
