internal import Arguments
internal import Bridge
internal import Configuration
internal import EventLoop

/// Runs the tests that stand beside connector files.
struct TestVerb: Verb {
    private static let filter = Option<String?>(
        "filter", valueName: "TEXT", help: "Only the tests whose names hold this text.")
    private static let paths = Argument<[String]>(
        "connector", completion: .file, help: "A connector file, or a folder of them.")

    static let command = Command(
        "test",
        abstract: "Runs the tests of connectors: records in, requests and results out.",
        examples: [
            "apns-bridge test connectors",
            "apns-bridge test connectors/orders.yaml --filter late",
        ],
        discussion: """
            The tests of connectors/orders.yaml stand in connectors/orders.test.yaml. They run on \
            the core of the real worker, with Apple's answers and the clock as the test says; \
            neither Kafka nor APNs, neither keys nor the environment are needed. Results go to \
            standard output, broken files and counts to standard error.

            Exit codes: 0 all passed; 1 a test failed; 66 no such file; 78 a file is broken.
            """,
        options: [filter], arguments: [paths])

    static func run(_ parsed: ParsedCommand) async -> ExitCode {
        var diagnostics: [Diagnostic] = []
        var files: [String] = []
        for path in parsed[paths] {
            do throws(Diagnostic) {
                for file in try ConnectorFile.files(at: connector(path))
                where !files.contains(file) { files.append(file) }
            } catch {
                diagnostics.append(error)
            }
        }
        let isMissing = !diagnostics.isEmpty || files.contains { !FileSystem.exists($0) }
        let suites = files.map {
            ConnectorTestSuite.run(connector: $0, filter: parsed[filter])
        }
        diagnostics += suites.flatMap(\.diagnostics)
        let report = ConnectorTestReport(suites)
        let isColoured = Console.isOutputTerminal && Console.isColourWelcome
        Console.output(report.text(isColoured: isColoured))
        if !diagnostics.isEmpty { Console.error(Diagnostic.report(diagnostics)) }
        Console.error("\n" + report.summary)
        if isMissing { return .noInput }
        if report.isBroken { return .configuration }
        return report.failedCount > 0 ? .failure : .success
    }

    /// The connector that a path means: a test file is named for the connector beside it.
    private static func connector(_ path: String) -> String {
        path.hasSuffix(".test.yaml") ? path.dropLast(".test.yaml".count) + ".yaml" : path
    }
}
