internal import Arguments
internal import Bridge
internal import Configuration
internal import EventLoop
internal import JSON

/// Checks everything that connectors and the services for legacy providers depend on, and says what
/// to do about what fails.
struct DoctorVerb: Verb {
    static let command = Command(
        "doctor",
        abstract: "Checks Kafka, topics, rights, credentials, APNs and limits before a start.",
        examples: [
            "apns-bridge doctor connectors", "apns-bridge doctor connectors/orders.yaml",
            "apns-bridge doctor connectors/providers.legacy-gateway.yaml",
            "apns-bridge doctor --format json connectors",
        ],
        discussion: """
            Reads the connector files and bridge.yaml, then checks everything that run needs; for \
            the files of legacy-gateway and feedback-service also their certificates and their \
            address. Sends no push, writes to no topic, commits nothing and joins no group, so \
            that it can be used beside a running bridge. A check that cannot be made is reported \
            as "not checked". Each check may take 15 seconds.

            Exit codes: 0 nothing failed; 1 a check failed; 66 no such file.
            """,
        options: [ProcessOptions.settings, OutputFormat.option],
        arguments: [LoadedConnectors.paths])

    static func run(_ parsed: ParsedCommand) async -> ExitCode {
        let paths = parsed[LoadedConnectors.paths]
        let loaded = DoctorFiles.load(paths, settings: parsed[ProcessOptions.settings])
        if loaded.isMissing {
            Console.error(Diagnostic.report(loaded.diagnostics))
            return .noInput
        }
        let isText = parsed[OutputFormat.option] == .text
        let resolved = ResolvedValues(of: loaded.connectors)
        let (stream, report) = AsyncStream.makeStream(of: DoctorFinding.self)
        let examination = Task { await examine(loaded, report) }
        var findings: [DoctorFinding] = []
        for await finding in stream {
            findings.append(finding)
            if isText { Console.output(resolved.hide(in: DoctorText.lines(of: finding))) }
        }
        await examination.value
        if !isText { Console.output(resolved.hide(in: DoctorText.json(findings))) }
        Console.error(DoctorText.summary(findings))
        return findings.contains { $0.result == .failed } ? .failure : .success
    }

    private static func examine(
        _ loaded: DoctorFiles, _ report: AsyncStream<DoctorFinding>.Continuation
    ) async {
        for problem in loaded.diagnostics { report.yield(.init(nil, "connector file", problem)) }
        if loaded.diagnostics.isEmpty {
            let message = "\(loaded.count) without a problem"
            report.yield(DoctorFinding(nil, "connector files", .passed, message))
        }
        await examine(loaded.process, report)
        if loaded.includesConnectors {
            // As 'run' does.
            _ = ProcessLimits.raiseOpenFiles()
            for finding in Doctor.examineProcess(of: loaded.connectors) { report.yield(finding) }
        }
        for connector in loaded.connectors {
            await Doctor.examine(connector) { report.yield($0) }
        }
        await examine(loaded.services, report)
        report.finish()
    }

    private static func examine(
        _ process: DoctorFiles.Process, _ report: AsyncStream<DoctorFinding>.Continuation
    ) async {
        for problem in process.diagnostics { report.yield(.init(nil, "process settings", problem)) }
        if process.diagnostics.isEmpty, let file = process.file {
            let message = "\(file) without a problem"
            report.yield(DoctorFinding(nil, "process settings", .passed, message))
        }
        guard let settings = process.settings else { return }
        await Doctor.examine(settings, version: VersionVerb.product) { report.yield($0) }
    }

    private static func examine(
        _ services: [LegacySettings], _ report: AsyncStream<DoctorFinding>.Continuation
    ) async {
        guard !services.isEmpty else { return }
        let limits = ProcessLimits(openFiles: ProcessLimits.raiseOpenFiles(), memory: nil)
        for service in services {
            await Doctor.examine(service, limits: limits) { report.yield($0) }
        }
    }
}
