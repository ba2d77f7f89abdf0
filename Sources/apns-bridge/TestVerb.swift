internal import Arguments
internal import Bridge
internal import Configuration
internal import ConnectorTesting
internal import Engine
internal import EventLoop
internal import FoundationEssentials

/// Runs the tests next to connector files.
struct TestVerb: Verb {
    private static let filter = Option<String?>(
        "filter", valueName: "TEXT", help: "Run only tests whose names contain this text.")
    private static let junit = Option<String?>(
        "junit", valueName: "FILE", completion: .file, help: "Also write the results as JUnit XML.")
    private static let update = Flag(
        "update", help: "Rewrite the expectations of failed tests with the actual results.")
    private static let paths = Argument<[String]>(
        "connector", completion: .file, help: "Connector file, or folder of connector files.")

    static let command = Command(
        "test",
        abstract: "Runs connector tests: records in, requests and results out.",
        examples: [
            "apns-bridge test connectors",
            "apns-bridge test connectors/orders.yaml --filter late",
            "apns-bridge test connectors --junit results.xml",
            "apns-bridge test connectors --update",
        ],
        discussion: """
            The tests of connectors/orders.yaml are in connectors/orders.test.yaml. They run on \
            the engine of the real bridge, with the clock and Apple's responses set by the test; \
            they need no Kafka, APNs, keys or environment variables. Results go to \
            standard output, file errors and the summary to standard error.

            Exit codes: 0 all passed; 1 a test failed; 66 no such file, or a file that cannot be \
            written; 78 a file is invalid.
            """,
        options: [filter, junit, OutputFormat.option], flags: [update], arguments: [paths])

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
        var suites = files.map {
            ConnectorTestSuite.run(connector: $0, filter: parsed[filter])
        }
        diagnostics += suites.flatMap(\.diagnostics)
        var isUnwritten = false
        for index in suites.indices where parsed[update] {
            do throws(Diagnostic) {
                suites[index] = try suites[index].update(filter: parsed[filter])
            } catch {
                diagnostics.append(error)
                isUnwritten = true
            }
        }
        let report = ConnectorTestReport(suites)
        write(report, parsed[OutputFormat.option])
        if !diagnostics.isEmpty { Console.error(Diagnostic.report(diagnostics)) }
        if !files.isEmpty { Console.error("\n" + report.summary) }
        if report.failedCount > 0, !parsed[update] { Console.error(acceptance(parsed)) }
        if let file = parsed[junit], !write(report.junit(), to: file) { return .noInput }
        if isMissing { return .noInput }
        if report.isBroken || isUnwritten { return .configuration }
        return report.failedCount > 0 ? .failure : .success
    }

    private static func write(_ report: ConnectorTestReport, _ format: OutputFormat) {
        switch format {
        case .text:
            let isColoured = Console.isOutputTerminal && Console.isColourWelcome
            Console.output(coloured: report.text(isColoured: isColoured))
        case .json:
            Console.output(report.json() + [UInt8(ascii: "\n")])
        }
    }

    /// Replaces a file atomically; prints an error and returns false when it cannot.
    private static func write(_ text: String, to file: String) -> Bool {
        do {
            try Data(text.utf8).write(to: URL(filePath: file), options: .atomic)
            return true
        } catch {
            Console.error("error: cannot write \(file): check the permissions of its folder")
            return false
        }
    }

    /// How to accept the actual results as the expected ones.
    private static func acceptance(_ parsed: ParsedCommand) -> String {
        var message = ["apns-bridge test"] + parsed[paths]
        if let text = parsed[filter] { message.append("--filter '\(text)'") }
        return "Accept the new results: " + message.joined(separator: " ") + " --update"
    }

    /// The connector for a path: a test file is named after the connector next to it.
    private static func connector(_ path: String) -> String {
        path.hasSuffix(".test.yaml") ? path.dropLast(".test.yaml".count) + ".yaml" : path
    }
}
