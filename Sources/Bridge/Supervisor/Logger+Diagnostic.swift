internal import Configuration
internal import Telemetry

extension Logger {
    /// Writes what is unwise in a connector, with its place and what to write instead.
    func warn(of finding: Diagnostic) {
        warning(
            "\(finding.message)",
            metadata: [
                "place": .string("\(finding.file):\(finding.line):\(finding.column)"),
                "remedy": .string(finding.remedy ?? ""),
            ])
    }
}
