internal import Arguments
internal import Configuration
internal import EventLoop
internal import LegacyProviders
internal import Synchronization
internal import Telemetry

/// Shared parts of the two commands for legacy providers.
enum LegacyRun {
    private static let logFormat = Option<LogFormat>(
        "log-format", default: .text, help: "Log output format.")
    private static let logLevel = Option<LogLevel>(
        "log-level", default: .info, help: "Minimum log level.")

    static let options: [any Declared] = [logFormat, logLevel]

    /// Runs the service described by a file until it ends.
    static func run(
        _ kind: LegacyFile.Kind, path: String, _ parsed: ParsedCommand
    ) async -> ExitCode {
        let environment = ProcessEnvironment.variables
        let loaded = LegacyFile.read(kind, path: path, environment: environment)
        CoreDumps.disable(unless: environment)
        guard let settings = loaded.settings else {
            Console.error(Diagnostic.report(loaded.diagnostics))
            return FileSystem.exists(path) ? .configuration : .noInput
        }
        let logger = StandardError.logger(level: parsed[logLevel], format: parsed[logFormat])
        raiseLimits(needed: settings.listen.descriptors, logger)
        return await run(LegacyService(settings, logger: logger))
    }

    /// Makes room for the descriptors of all connections, or says that there is none.
    private static func raiseLimits(needed: Int, _ logger: Logger) {
        guard let files = ProcessLimits.raiseOpenFiles(), files < needed else { return }
        logger.warning(
            "the limit of open files is too low for limits.connections",
            metadata: [
                "open_files": .number(files), "needed": .number(needed),
                "action": "raise the hard limit (ulimit -Hn), or lower limits.connections",
            ])
    }

    /// The signals that stop a service.
    static let signals = Signals.termination

    /// Runs a service on a separate thread until it ends.
    ///
    /// The first signal stops it, or exits the process if nothing listens yet; a later one exits
    /// the process immediately.
    private static func run(_ service: LegacyService) async -> ExitCode {
        let isListening = Listening()
        let stopper = Task {
            var stops = StopSignals()
            for await signal in Signals.received()
            where signals.contains(signal) && stops.isFirst(signal) {
                guard isListening.value else { StandardError.exit(0) }
                service.stop()
            }
        }
        defer { stopper.cancel() }
        return await withCheckedContinuation { continuation in
            do throws(KernelError) {
                try LoopThread(name: "legacy") {
                    continuation.resume(returning: serve(service) { isListening.begin() })
                }.detach()
            } catch {
                Console.error("error: \(error.description)\nNothing was started.")
                continuation.resume(returning: .unavailable)
            }
        }
    }

    private static func serve(
        _ service: LegacyService, _ listening: () -> Void
    ) -> ExitCode {
        do throws(LegacyFailure) {
            switch try service.run(listening: { _ in listening() }) {
            case .stopped: return .success
            case .broken(let reason):
                Console.error("error: Kafka's library cannot go on: \(reason)")
                return .unavailable
            }
        } catch {
            Console.error("\(error)\nNothing was started.")
            return error.kind == .configuration ? .configuration : .unavailable
        }
    }

    /// Whether a service is listening already.
    private final class Listening: Sendable {
        private let flag = Atomic<Bool>(false)

        var value: Bool { flag.load(ordering: .relaxed) }

        func begin() { flag.store(true, ordering: .relaxed) }
    }
}
