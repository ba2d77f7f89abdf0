public import Configuration
internal import Kafka
internal import Mapping
internal import YAML

/// The result of one test.
public struct ConnectorTestResult: Sendable {
    /// The possible results of a test.
    public enum Ending: Equatable, Sendable {
        /// Everything was as expected.
        case passed
        /// Something was not.
        case failed([TestMismatch])
        /// It was skipped, for this reason.
        case skipped(String)
    }

    /// The test.
    public let test: ConnectorTest
    /// The result.
    public let ending: Ending
    /// Its duration in seconds.
    public let seconds: Double
    /// What the connector produced; nil when it did not run.
    let output: TestOutput?

    /// How it failed; empty if it did not.
    public var mismatches: [TestMismatch] {
        if case .failed(let mismatches) = ending { mismatches } else { [] }
    }
}

extension ConnectorTestFile {
    /// Runs the tests whose names contain `filter`, or all without one, in the file's order.
    /// `connector` should be loaded with ``environment`` and ``ConnectorFile/Mode/inspect``;
    /// `source` is its text, for explanations.
    public func run(
        on connector: Connector, source: [UInt8] = [], filter: String? = nil
    ) -> [ConnectorTestResult] {
        let source = ConnectorSource(bytes: source, file: connector.file)
        return tests.filter { filter.map($0.name.contains) ?? true }
            .map { run($0, on: connector, source) }
    }

    private func run(
        _ test: ConnectorTest, on connector: Connector, _ source: ConnectorSource
    ) -> ConnectorTestResult {
        if let reason = test.skipReason {
            return ConnectorTestResult(
                test: test, ending: .skipped(reason), seconds: 0, output: nil)
        }
        let clock = ContinuousClock()
        let start = clock.now
        let output = TestRun.output(of: test, connector, now: now)
        let mismatches: [TestMismatch]
        if let expectation = test.expectation {
            mismatches = TestComparison.mismatches(expectation, output, now: now)
                .map { source.explained($0, output) }
        } else {
            mismatches = [
                TestMismatch(
                    test.line, "nothing is expected",
                    remarks: ["write expect: below it, or let --update write the actual results"])
            ]
        }
        return ConnectorTestResult(
            test: test, ending: mismatches.isEmpty ? .passed : .failed(mismatches),
            seconds: start.duration(to: clock.now) / .seconds(1), output: output)
    }

    /// Problems of the tests with this connector: a schema in another format than its own, and a
    /// topic that it does not read.
    public func diagnostics(on connector: Connector) -> [Diagnostic] {
        let problem = schema?.problem(in: file, of: connector)
        return (problem.map { [$0] } ?? []) + topicDiagnostics(on: connector)
    }

    private func topicDiagnostics(on connector: Connector) -> [Diagnostic] {
        tests.compactMap { test in
            guard let node = test.record.topic, let topic = node.text,
                !connector.source.topics.matches(topic)
            else { return nil }
            return Diagnostic(
                file: file, line: node.location.line, column: node.location.column,
                severity: .error,
                message: "the connector does not read the topic '\(topic)'",
                remedy: "it reads \(connector.source.topics.entries.joined(separator: ", "))")
        }
    }
}
