internal import Configuration
internal import Telemetry

extension Logger {
    /// Logs what is wrong with a file or with what it names: a collector of JSON lines reads
    /// nothing else.
    func log(_ finding: Diagnostic) {
        log(
            finding.severity == .error ? .error : .warning,
            finding.severity == .error ? "cannot start" : "the file has a problem",
            metadata: [
                "detail": .string(finding.message), "place": .string(finding.location),
                "action": .string(finding.remedy ?? "correct the file"),
            ])
    }
}
