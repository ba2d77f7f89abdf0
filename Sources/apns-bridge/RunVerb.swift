internal import Arguments
internal import Bridge
internal import Configuration
internal import ConnectorTesting
internal import EventLoop
internal import Telemetry

/// Runs connectors until the process is asked to stop.
struct RunVerb: Verb {
    private static let logFormat = Option<LogFormat?>(
        "log-format", help: "Log output format; text by default.")
    private static let logLevel = Option<LogLevel?>(
        "log-level", help: "Minimum log level; info by default.")

    private static let createsTopics = Flag(
        "create-topics", help: "Create missing result topics; change nothing that exists.")

    private static let begins = Flag(
        "begin", help: "Begin with new groups that wait for confirmation (source.new_group).")
    private static let isDry = Flag(
        "dry-run", help: "Read and count what would be sent; send and commit nothing.")
    private static let fromBeginning = Flag(
        "from-beginning", help: "With --dry-run, read the topics from their beginning.")
    private static let follows = Flag(
        "follow", help: "With --dry-run, continue at the end until Ctrl-C.")

    static let command = Command(
        "run",
        abstract: "Runs connectors: sends a push for each Kafka record and reports its outcome.",
        examples: [
            "apns-bridge run connectors/orders.yaml",
            "apns-bridge run --log-format json connectors",
            "apns-bridge run --create-topics --replication-factor 3 connectors",
            "apns-bridge run --dry-run connectors/orders.yaml",
        ],
        discussion: """
            Checks Kafka, its topics and APNs before consuming anything. On SIGTERM or \
            SIGINT it finishes in-flight pushes within shutdown_deadline, commits offsets and \
            exits 0; another, a second later, exits immediately. SIGUSR1 releases the \
            mass-invalidation guard; SIGHUP reads the connector files and bridge.yaml again, and \
            adds, changes and removes connectors. Log lines go to standard error.

            --create-topics makes result topics that are missing, never source topics: outcomes \
            and retries with the source's partition count, unregistered compacted, retries kept \
            for at least twice give_up_after, dead letters for 30 days. With a \
            replication factor of 3 or more it sets min.insync.replicas=2.

            A group that has committed nothing sends everything that its topics hold, unless \
            source.start is latest. With source.new_group: confirm it waits for --begin, or for \
            POST /connectors/NAME/begin.

            --dry-run reads what the group would read next, up to the end of the topics at \
            start, and prints what would be sent, by push type, drop reason and size. It joins \
            no group, opens no connection to APNs, writes to no topic and commits nothing.

            Exit codes: 0 stopped; 66 no such file; 69 no connector can be started now; \
            78 configuration.
            """,
        options: [
            ProcessOptions.settings, logFormat, logLevel, ProcessOptions.replicationFactor,
            OutputFormat.option,
        ],
        flags: [createsTopics, begins, isDry, fromBeginning, follows],
        arguments: [LoadedConnectors.paths])

    static let signals = RunSignals.watched

    static func run(_ parsed: ParsedCommand) async -> ExitCode {
        let paths = parsed[LoadedConnectors.paths]
        if let mistake = mistake(in: parsed) {
            Console.error("error: \(mistake)")
            return .usage
        }
        guard let process = ProcessOptions.load(paths, parsed) else { return .configuration }
        if parsed[isDry] { return await runDry(paths, parsed) }
        let logger = StandardError.logger(
            level: parsed[logLevel] ?? process.level, format: parsed[logFormat] ?? process.format)
        let signals = RunSignals(logger)
        let listener = Task { await signals.listen() }
        defer { listener.cancel() }
        let loaded = load(paths, .run, settings: parsed[ProcessOptions.settings], logger)
        CoreDumps.disable(unless: ProcessEnvironment.variables)
        guard loaded.canRun else { return loaded.failureToRun(of: paths) }
        logger.info("starting", metadata: VersionVerb.build.metadata)
        OpenFiles.prepare(for: loaded.connectors, logger)
        let creation =
            parsed[createsTopics]
            ? TopicCreation(replicationFactor: parsed[ProcessOptions.replicationFactor]) : nil
        let exporter = process.tracing.map {
            SpanExporter($0, version: VersionVerb.product, logger: logger)
        }
        exporter?.start()
        // After the workers: the spans of their last pushes are exported, too.
        defer { exporter?.stop() }
        let status = BridgeStatus(
            build: VersionVerb.build, spans: exporter?.queue,
            lostLogLines: { StandardError.lostLines })
        let files = RunFiles(
            paths: paths, settings: parsed[ProcessOptions.settings], process: process,
            fixesLevel: parsed[logLevel] != nil, fixesFormat: parsed[logFormat] != nil,
            logger: logger)
        var options = SupervisorOptions()
        options.summaryInterval = process.summaryInterval
        options.creation = creation
        options.files = ReloadSource { files.read() }
        options.metricLabels = process.metricLabels
        options.spans = exporter?.queue
        options.beginsNewGroups = parsed[begins]
        let supervisor = Supervisor(
            loaded.connectors, unusable: loaded.unusable, logger: logger, status: status,
            options: options)
        signals.address(supervisor)
        let endpoint = process.admin.map {
            AdminEndpoint($0, status: status, supervisor: supervisor, logger: logger)
        }
        defer { endpoint?.stop() }
        let notices = ServiceNotices(status: status).map { notices in Task { await notices.run() } }
        defer { notices?.cancel() }
        return await run(supervisor, endpoint, process, logger)
    }

    /// What is wrong with a combination of options; nil when nothing is.
    private static func mistake(in parsed: ParsedCommand) -> String? {
        let factor = parsed[ProcessOptions.replicationFactor]
        if let mistake = ProcessOptions.mistake(inReplicationFactor: factor) { return mistake }
        guard factor == nil || parsed[createsTopics] else {
            return "--replication-factor is only valid with --create-topics"
        }
        guard !parsed[isDry] else {
            return parsed[createsTopics]
                ? "--create-topics is not valid with --dry-run, which changes nothing" : nil
        }
        if parsed[fromBeginning] { return "--from-beginning is only valid with --dry-run" }
        if parsed[follows] { return "--follow is only valid with --dry-run" }
        guard parsed[OutputFormat.option] == .text else {
            return "--format is only valid with --dry-run; the log has --log-format"
        }
        return nil
    }

    /// Reads the connectors, and prints problems, or logs them where the log is JSON.
    private static func load(
        _ paths: [String], _ mode: ConnectorFile.Mode, settings: String?, _ logger: Logger? = nil
    ) -> LoadedConnectors {
        let loaded = LoadedConnectors.load(paths, mode: mode, settings: settings)
        if let logger, logger.format == .json {
            for finding in loaded.diagnostics { logger.log(finding) }
            return loaded
        }
        if !loaded.diagnostics.isEmpty { Console.error(Diagnostic.report(loaded.diagnostics)) }
        if loaded.hasErrors, !loaded.canRun {
            Console.error(Diagnostic.summary(loaded.diagnostics, files: loaded.files.count))
        }
        return loaded
    }

    private static func runDry(_ paths: [String], _ parsed: ParsedCommand) async -> ExitCode {
        let loaded = load(paths, .dryRun, settings: parsed[ProcessOptions.settings])
        guard !loaded.hasErrors else { return loaded.failure(of: paths) }
        let command = DryRunCommand(
            start: parsed[fromBeginning] ? .beginning : .committed, follows: parsed[follows],
            format: parsed[OutputFormat.option])
        return await command.run(loaded.connectors)
    }

    private static func run(
        _ supervisor: Supervisor, _ endpoint: AdminEndpoint?, _ process: ProcessSettings,
        _ logger: Logger
    ) async -> ExitCode {
        do throws(StartFailure) {
            if let port = try endpoint?.start(process.locations), let admin = process.admin {
                logger.info(
                    "admin endpoint listening",
                    metadata: admin.socketPath.map { ["socket": .string($0)] }
                        ?? ["host": .string(admin.host), "port": .integer(Int64(port))])
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
            if logger.format == .json {
                for finding in error.diagnostics { logger.log(finding) }
            } else {
                let end = await supervisor.hasRun ? "No connector is left." : "Nothing was started."
                Console.error("\(error)\n\(end)")
            }
            return error.kind == .configuration ? .configuration : .unavailable
        }
    }
}
