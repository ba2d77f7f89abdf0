public import Configuration
internal import EventLoop
public import Telemetry

/// How many files and sockets a set of connectors may have open, and whether the process may.
public enum OpenFiles {
    /// For each worker: some brokers, for its consumer and its producers, and their wake-ups.
    private static let ofKafka = 64
    /// The program itself, its log, its admin endpoint and the checks of a reload.
    private static let ofProcess = 64

    /// How many may be open at a time.
    static func needed(by connectors: [Connector]) -> Int {
        connectors.map(needed).reduce(ofProcess, +)
    }

    /// A worker's connections, each twice while it is replaced, and those of librdkafka's clients.
    private static func needed(by connector: Connector) -> Int {
        let connections = 2 * connector.apns.connections.upperBound * connector.apns.routes.count
        return connector.workers * (connections + ofKafka)
    }

    static func remedy(needed: Int) -> String {
        "raise it: ulimit -n \(2 * needed), or LimitNOFILE=\(2 * needed) in a systemd unit"
    }

    /// Raises the soft limit as far as the hard one allows, and logs the limit and the need; a
    /// warning if they do not fit together. The process starts anyway: what finds no descriptor is
    /// tried again.
    public static func prepare(for connectors: [Connector], _ logger: Logger) {
        let limit = ProcessLimits.raiseOpenFiles()
        let needed = needed(by: connectors)
        var metadata: Logger.Metadata = ["needed": .number(needed)]
        metadata["limit"] = limit.map { .number($0) }
        guard let limit, limit < needed else {
            return logger.info("limit of open files checked", metadata: metadata)
        }
        metadata["action"] = .string(remedy(needed: needed))
        logger.warning("the limit of open files is too low", metadata: metadata)
    }
}
