internal import Bridge
internal import EventLoop
internal import Synchronization
internal import Telemetry

/// Handles the signals of a process that runs connectors.
final class RunSignals: Sendable {
    static let watched = Signals.termination + [Signals.release, Signals.reload]

    private let logger: Logger
    private let supervisor = Mutex<Supervisor?>(nil)

    init(_ logger: Logger) { self.logger = logger }

    /// From now on there is something to drain; before this, a signal to stop exits the process.
    func address(_ supervisor: Supervisor) { self.supervisor.withLock { $0 = supervisor } }

    /// Handles signals: the first signal to stop drains, a later one exits the process.
    func listen() async {
        var stops = StopSignals()
        for await signal in Signals.received() {
            let supervisor = self.supervisor.withLock { $0 }
            switch signal {
            case Signals.release:
                // Without connectors the count is complete at once.
                let count = ReleaseCount { [logger] in Self.log(released: $0, logger) }
                await supervisor?.release(count)
            case Signals.reload:
                reload(supervisor)
            default:
                guard stops.isFirst(signal) else { continue }
                logger.info("stopping", metadata: ["signal": .integer(Int64(signal))])
                guard let supervisor else { StandardError.exit(0) }
                await supervisor.drain()
            }
        }
    }

    /// Logs what the workers have released on SIGUSR1, each guard with a line of its own before.
    private static func log(released count: Int, _ logger: Logger) {
        guard count > 0 else {
            return logger.info("SIGUSR1 changed nothing: no guard was engaged")
        }
        logger.info("guard released by SIGUSR1", metadata: ["guards": .number(count)])
    }

    /// Reloads beside the signals that follow: a signal to stop must not wait for it.
    private func reload(_ supervisor: Supervisor?) {
        guard let supervisor else {
            logger.warning(
                "SIGHUP ignored",
                metadata: [
                    "detail": "the connectors are still being loaded",
                    "action": "send it again when the connectors run",
                ])
            return
        }
        logger.info("reloading on SIGHUP")
        Task { await supervisor.reload() }
    }
}
