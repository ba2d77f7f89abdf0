internal import Bridge
internal import EventLoop
internal import Glibc
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

    /// Handles signals: the first signal to stop drains, the second one exits the process.
    func listen() async {
        var isStopping = false
        for await signal in Signals.received() {
            let supervisor = self.supervisor.withLock { $0 }
            switch signal {
            case Signals.release:
                let isEngaged = await supervisor?.release() ?? false
                logger.info(
                    isEngaged
                        ? "guard released by SIGUSR1"
                        : "SIGUSR1 changes nothing: no guard is engaged")
            case Signals.reload:
                reload(supervisor)
            default:
                if isStopping { _exit(128 + signal) }
                isStopping = true
                logger.info("stopping", metadata: ["signal": .integer(Int64(signal))])
                guard let supervisor else { _exit(0) }
                await supervisor.drain()
            }
        }
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
