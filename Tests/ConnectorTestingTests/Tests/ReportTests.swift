import Configuration
import Testing

@testable import ConnectorTesting

@Suite struct `A report on tests` {
    private func report(_ text: String, diagnostics: [Diagnostic] = []) throws
        -> ConnectorTestReport
    {
        let results = try ConnectorTestHarness.run(text)
        return ConnectorTestReport([
            ConnectorTestSuite(
                connector: ConnectorTestHarness.connectorPath,
                testFile: ConnectorTestHarness.testPath, results: results,
                diagnostics: diagnostics, file: nil)
        ])
    }

    private static let failing = """
        now: 2026-01-01T10:00:00Z
        tests:
          - name: greets <&> "people"
            record: {value: \(ConnectorTestHarness.event)}
            expect: {requests: [{payload_contains: {order: 8}}]}
          - {name: passes, record: {value: null}, expect: {requests: []}}
          - {name: later, skip: not & now, record: {value: null}}
        """

    @Test func `has a section for each test that did not pass`() throws {
        let expected = """
            FAIL  connectors/orders.yaml    greets <&> "people"
                  connectors/orders.test.yaml:5: requests[0].payload_contains.order
                  - 8
                  + 7
            SKIP  connectors/orders.yaml    later: not & now

            """
        let report = try report(Self.failing)
        #expect(report.text() == expected)
        let summary = "1 connector, 3 tests: 1 passed, 1 failed, 1 skipped ("
        #expect(report.summary.hasPrefix(summary))
    }

    @Test func `has one line for a connector whose tests passed`() throws {
        let text = ConnectorTestHarness.file("record: {value: null}\nexpect: {requests: []}")
        #expect(try report(text).text() == "PASS  connectors/orders.yaml    1 test\n")
    }

    @Test func `adds only colour on a terminal`() throws {
        let report = try report(Self.failing)
        let plain = report.text(isColoured: true).replacing(/\u{1B}\[\d+m/, with: "")
        #expect(plain == report.text())
        #expect(report.text(isColoured: true).contains("\u{1B}[32m+ 7\u{1B}[0m"))
    }

    @Test func `has no colours or control characters of the files that it reports on`() throws {
        let text = #"""
            now: 2026-01-01T10:00:00Z
            tests:
              - name: "\e[32mPASS\e[0m\e]0;title\a\n::error::x\x9b2J\u202E"
                record: {value: null}
                expect: {requests: [{payload_contains: {order: 8}}]}
              - {name: "\e[31ma", skip: "\e[2J\n::error::y", record: {value: null}}
            """#
        for isColoured in [true, false] {
            let shown = try report(text).text(isColoured: isColoured)
            let own = shown.replacing(/\u{1B}\[(?:31|2|0)m/, with: "")
            let isSafe = own.unicodeScalars.allSatisfy {
                $0 == "\n" || (0x20..<0x7F).contains($0.value) || $0.value > 0x2100
            }
            #expect(isSafe, "\(own)")
            #expect(!shown.contains("\u{1B}[32m"))
            #expect(!shown.split(separator: "\n").contains { $0.hasPrefix("::") })
        }
    }

    @Test func `escapes what XML does not allow`() throws {
        let xml = try report(Self.failing).junit().replacing(/time="[\d.]+"/, with: "time=\"0\"")
        let expected = """
            <?xml version="1.0" encoding="UTF-8"?>
            <testsuites name="apns-bridge test" tests="3" failures="1" errors="0" time="0">
              <testsuite name="connectors/orders.yaml" tests="3" failures="1" errors="0" \
            skipped="1" time="0">
                <testcase name="greets &lt;&amp;&gt; &quot;people&quot;" \
            classname="connectors/orders.yaml" file="connectors/orders.test.yaml" line="3" time="0">
                  <failure message="requests[0].payload_contains.order" type="failure">
            connectors/orders.test.yaml:5: requests[0].payload_contains.order
            - 8
            + 7
                  </failure>
                </testcase>
                <testcase name="passes" classname="connectors/orders.yaml" \
            file="connectors/orders.test.yaml" line="6" time="0"/>
                <testcase name="later" classname="connectors/orders.yaml" \
            file="connectors/orders.test.yaml" line="7" time="0">
                  <skipped message="not &amp; now"/>
                </testcase>
              </testsuite>
            </testsuites>

            """
        #expect(xml == expected)
    }

    @Test func `counts a broken file as an error`() throws {
        let error = Diagnostic(
            file: ConnectorTestHarness.connectorPath, line: 3, column: 1, severity: .error,
            message: "a mistake")
        let suite = ConnectorTestSuite(
            connector: ConnectorTestHarness.connectorPath, testFile: ConnectorTestHarness.testPath,
            results: [],
            diagnostics: [error], file: nil)
        let report = ConnectorTestReport([suite])
        #expect(report.isBroken)
        #expect(report.junit().contains("<error message=\"a mistake\" type=\"error\">"))
        #expect(report.summary == "no test was run\n1 connector was not run: fix its files")
    }

    @Test func `shows expected and actual results in JSON`() throws {
        let json = try #require(TestValue(json: try report(Self.failing).json()))
        let test = try #require(json["connectors"]?.element(0)?["tests"]?.element(0))
        #expect(test["ending"]?.text == "failed")
        let mismatch = try #require(test["mismatches"]?.element(0))
        #expect(mismatch["what"]?.text == "requests[0].payload_contains.order")
        #expect(mismatch["expected"]?.text == "8")
        #expect(mismatch["got"]?.text == "7")
    }
}
