public import Configuration
internal import EventLoop
internal import YAML

/// A connector with its tests and their results.
public struct ConnectorTestSuite: Sendable {
    /// The path of the connector file.
    public let connector: String
    /// The path of its test file, which may not exist.
    public let testFile: String
    /// The tests that were run or skipped; empty when a file is invalid.
    public let results: [ConnectorTestResult]
    /// The problems in the files.
    public let diagnostics: [Diagnostic]
    /// The parsed tests; nil without a readable test file.
    let file: ConnectorTestFile?
    /// The names of the tests whose expectations were replaced.
    public let updated: [String]

    init(
        connector: String, testFile: String, results: [ConnectorTestResult],
        diagnostics: [Diagnostic], file: ConnectorTestFile?, updated: [String] = []
    ) {
        self.connector = connector
        self.testFile = testFile
        self.results = results
        self.diagnostics = diagnostics
        self.file = file
        self.updated = updated
    }

    /// Reads a connector and its test file, and runs the tests whose names contain `filter`.
    ///
    /// Only the two files are needed: no environment, no key.
    public static func run(connector path: String, filter: String? = nil) -> ConnectorTestSuite {
        let testPath = ConnectorTestFile.path(ofConnector: path)
        guard FileSystem.exists(testPath) else {
            let loaded = ConnectorFile.load(path: path, environment: [:], mode: .inspect)
            let errors = loaded.diagnostics.filter { $0.severity == .error }
            return ConnectorTestSuite(
                connector: path, testFile: testPath, results: [],
                diagnostics: errors.isEmpty ? [withoutTests(path, testPath)] : errors, file: nil)
        }
        let tests = ConnectorTestFile.read(path: testPath)
        let loaded = ConnectorFile.load(
            path: path, environment: tests.file?.environment ?? [:], isWritten: true,
            mode: .inspect)
        var diagnostics = loaded.diagnostics.filter { $0.severity == .error } + tests.diagnostics
        var results: [ConnectorTestResult] = []
        if let connector = loaded.connector, tests.file == nil,
            let problem = tests.schema?.problem(in: testPath, of: connector)
        {
            // No event can fit such a schema.
            diagnostics = [problem]
        } else if diagnostics.isEmpty, let connector = loaded.connector, let file = tests.file {
            diagnostics = file.diagnostics(on: connector)
            let source = (try? InputFile.read(path: path)) ?? []
            if diagnostics.isEmpty {
                results = file.run(on: connector, source: source, filter: filter)
            }
        }
        return ConnectorTestSuite(
            connector: path, testFile: testPath, results: results, diagnostics: diagnostics,
            file: tests.file)
    }

    private static func withoutTests(_ path: String, _ testPath: String) -> Diagnostic {
        Diagnostic(
            file: path, line: 0, column: 0, severity: .warning,
            message: "this connector has no test file",
            remedy: "write \(testPath): a record and its expected results")
    }

    /// True when a file is invalid, so that nothing was run.
    public var isBroken: Bool { diagnostics.contains { $0.severity == .error } }

    /// The number of tests that passed.
    public var passedCount: Int { results.count { $0.ending == .passed } }
    /// The number of tests that failed.
    public var failedCount: Int { results.count { !$0.mismatches.isEmpty } }
    /// The number of tests that were skipped.
    public var skippedCount: Int { results.count - passedCount - failedCount }
    /// The duration of all tests, in seconds.
    public var seconds: Double { results.reduce(0) { $0 + $1.seconds } }
}
