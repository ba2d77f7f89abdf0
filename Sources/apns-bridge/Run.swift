internal import Arguments
internal import Bridge
internal import Configuration
internal import EventLoop
internal import Glibc
internal import Telemetry

/// Runs connectors until the process is asked to stop.
struct RunVerb: Verb {
    private static let logFormat = Option<LogFormat>(
        "log-format", default: .text, help: "How log lines are written.")
    private static let logLevel = Option<LogLevel>(
        "log-level", default: .info, help: "The least urgent lines that are written.")

    static let command = Command(
        "run",
        abstract: "Runs connectors: Kafka records become pushes, and every one gets an outcome.",
        examples: [
            "apns-bridge run connectors/orders.yaml",
            "apns-bridge run --log-format json connectors",
        ],
        discussion: """
            Kafka, its topics and APNs are looked at before anything is consumed. SIGTERM or \
            SIGINT: what is in flight is finished within shutdown_deadline, offsets are \
            committed, exit 0; a second signal ends at once. Log lines go to standard error.

            Exit codes: 0 stopped; 66 no such file; 69 Kafka or APNs unavailable; \
            78 configuration.
            """,
        options: [logFormat, logLevel], arguments: [LoadedConnectors.paths])

    static func run(_ parsed: ParsedCommand) async -> ExitCode {
        let paths = parsed[LoadedConnectors.paths]
        let loaded = LoadedConnectors.load(paths, mode: .run)
        if !loaded.diagnostics.isEmpty { Console.error(Diagnostic.report(loaded.diagnostics)) }
        if loaded.hasErrors {
            Console.error(Diagnostic.summary(loaded.diagnostics, files: loaded.files.count))
            return loaded.failure(of: paths)
        }
        let logger = Logger(
            label: "apns-bridge", level: parsed[logLevel], format: parsed[logFormat])
        return await run(Supervisor(loaded.connectors, logger: logger), logger)
    }

    private static func run(_ supervisor: Supervisor, _ logger: Logger) async -> ExitCode {
        let stopper = stop(supervisor, onSignalSaying: logger)
        defer { stopper.cancel() }
        do throws(StartFailure) {
            let counters = try await supervisor.run()
            logger.info("stopped", metadata: counters.metadata)
            return .success
        } catch {
            Console.error("\(error)\nNothing was started.")
            return error.kind == .configuration ? .configuration : .unavailable
        }
    }

    /// The first signal drains, the second one ends the process at once; that of the guard is
    /// neither.
    static func stop(_ supervisor: Supervisor, onSignalSaying logger: Logger) -> Task<Void, Never> {
        let signals = Signals.termination(and: [Signals.release])
        return Task {
            var isFirst = true
            for await signal in signals {
                guard signal != Signals.release else {
                    logger.info("letting go", metadata: ["signal": .integer(Int64(signal))])
                    await supervisor.release()
                    continue
                }
                if !isFirst { _exit(128 + signal) }
                isFirst = false
                logger.info("stopping", metadata: ["signal": .integer(Int64(signal))])
                await supervisor.drain()
            }
        }
    }
}

extension WorkerCounters {
    /// The counters as a log line carries them.
    var metadata: Logger.Metadata {
        [
            "records": .integer(Int64(records)), "accepted": .integer(Int64(accepted)),
            "rejected": .integer(Int64(rejected)), "dropped": .integer(Int64(dropped)),
            "unknown": .integer(Int64(unknown)), "filtered": .integer(Int64(filtered)),
            "without_time": .integer(Int64(withoutTime)),
            "new_answers": .integer(Int64(newAnswers)),
        ]
    }
}
