internal import Arguments
internal import Configuration
internal import EventLoop
internal import Telemetry

/// The process settings of a command line.
enum ProcessOptions {
    /// The option for their file.
    static let settings = Option<String?>(
        "settings", valueName: "FILE", completion: .file,
        help: "Process settings; bridge.yaml in a given folder unless set.")

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
