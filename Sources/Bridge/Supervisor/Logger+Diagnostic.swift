internal import Configuration
internal import Telemetry

extension Logger {
    /// Logs a warning about a connector, with its location and what to write instead.
    func warn(of finding: Diagnostic) {
        warning(
            "\(finding.message)",
            metadata: [
                "place": .string("\(finding.file):\(finding.line):\(finding.column)"),
                "remedy": .string(finding.remedy ?? ""),
            ])
    }
}
