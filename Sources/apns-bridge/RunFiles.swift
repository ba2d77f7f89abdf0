internal import Bridge
internal import Configuration
internal import EventLoop
internal import Synchronization
internal import Telemetry

/// The files of a running process, which a reload reads again.
final class RunFiles: Sendable {
    private let paths: [String]
    private let settings: String?
    /// The settings with which the process was started: those in effect, but for the log.
    private let atStart: ProcessSettings
    /// The settings that were found last.
    private let last: Mutex<ProcessSettings>
    /// The command line sets the log level, or the format: the file does not.
    private let fixesLevel: Bool
    private let fixesFormat: Bool
    private let logger: Logger

    init(
        paths: [String], settings: String?, process: ProcessSettings, fixesLevel: Bool,
        fixesFormat: Bool, logger: Logger
    ) {
        self.paths = paths
        self.settings = settings
        atStart = process
        last = Mutex(process)
        self.fixesLevel = fixesLevel
        self.fixesFormat = fixesFormat
        self.logger = logger
    }

    /// Reads all of them; nothing is adopted yet.
    func read() -> ReloadSource.Reading {
        let loaded = LoadedConnectors.load(paths, mode: .run, settings: settings)
        let found = ProcessFile.load(
            paths, settings: settings, environment: ProcessEnvironment.variables)
        return ReloadSource.Reading(
            connectors: loaded.connectors, unusable: loaded.unusable,
            diagnostics: found.diagnostics + loaded.diagnostics
        ) { [self] in
            if let settings = found.settings { adopt(settings) }
        }
    }

    /// Adopts what can change while the process runs, and logs what cannot.
    private func adopt(_ found: ProcessSettings) {
        let known = last.withLock { last in
            defer { last = found }
            return last
        }
        if found.level != known.level, !fixesLevel { logger.level = found.level }
        if found.format != known.format, !fixesFormat { logger.format = found.format }
        let keys =
            (found.admin != atStart.admin ? ["admin"] : [])
            + (found.summaryInterval != atStart.summaryInterval ? ["log.summary"] : [])
            + (found.metricLabels != atStart.metricLabels ? ["telemetry.labels"] : [])
            + (found.tracing?.url != atStart.tracing?.url ? ["telemetry.otlp"] : [])
            + (found.tracing?.sample != atStart.tracing?.sample ? ["telemetry.sample"] : [])
        guard !keys.isEmpty else { return }
        logger.warning(
            "changed settings of the process take effect after a restart",
            metadata: ["keys": .strings(keys), "action": "restart the process to apply them"])
    }
}
