internal import Arguments
internal import Configuration
internal import EventLoop
internal import Telemetry

/// The process settings of a command line, and options that several commands have.
enum ProcessOptions {
    /// The option for their file.
    static let settings = Option<String?>(
        "settings", valueName: "FILE", completion: .file,
        help: "Process settings; bridge.yaml in a given folder unless set.")

    /// The option for topics that are created.
    static let replicationFactor = Option<Int?>(
        "replication-factor", valueName: "N",
        help: "Replication factor of created topics; the broker's default unless set.")

    /// What is wrong with a replication factor; nil when nothing is.
    static func mistake(inReplicationFactor factor: Int?) -> String? {
        guard let factor, !(1...32_767).contains(factor) else { return nil }
        return "--replication-factor must be 1 to 32767, not \(factor)"
    }

    /// Reads them, and prints problems; nil when there is an error.
    static func load(_ paths: [String], _ parsed: ParsedCommand) -> ProcessSettings? {
        let loaded = ProcessFile.load(
            paths, settings: parsed[settings], environment: ProcessEnvironment.variables)
        if !loaded.diagnostics.isEmpty { Console.error(Diagnostic.report(loaded.diagnostics)) }
        return loaded.settings
    }
}

extension ProcessSettings {
    /// The minimum level of log lines.
    var level: LogLevel { logLevel.flatMap(LogLevel.init(rawValue:)) ?? .info }
    /// How often the log sums up what happened; nil for never.
    var summaryInterval: Duration? {
        let interval = logSummary ?? .seconds(30)
        return interval > .zero ? interval : nil
    }
    /// The log format.
    var format: LogFormat { logFormat.flatMap(LogFormat.init(rawValue:)) ?? .text }
}
