internal import Configuration
internal import Telemetry

extension Logger {
    /// Logs a warning about a connector, with its location and what to write instead.
    func warn(of finding: Diagnostic) {
        warning(
            "\(finding.message)",
            metadata: [
                "place": .string(finding.location),
                "remedy": .string(finding.remedy ?? ""),
            ])
    }

    /// Logs a line about what runs.
    func log(_ line: RunningLog.Line) {
        log(line.level, line.message, metadata: line.metadata)
    }
}
