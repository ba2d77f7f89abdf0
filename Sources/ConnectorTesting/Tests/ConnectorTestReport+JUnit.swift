internal import Configuration
internal import Encoding

extension ConnectorTestReport {
    /// The report as JUnit XML, which every CI system reads: a suite per connector, a case per
    /// test, and an error per invalid file.
    public func junit() -> String {
        var lines = [#"<?xml version="1.0" encoding="UTF-8"?>"#]
        let count = suites.reduce(0) { $0 + $1.caseCount }
        lines.append(
            "<testsuites name=\"apns-bridge test\" tests=\"\(count)\""
                + " failures=\"\(failedCount)\" errors=\"\(suites.count { $0.isBroken })\""
                + " time=\"\(Self.seconds(suites.reduce(0) { $0 + $1.seconds }))\">")
        for suite in suites where suite.caseCount > 0 { lines += Self.lines(of: suite) }
        lines.append("</testsuites>")
        return lines.joined(separator: "\n") + "\n"
    }

    private static func lines(of suite: ConnectorTestSuite) -> [String] {
        var lines = [
            "  <testsuite name=\"\(escaped(suite.connector))\" tests=\"\(suite.caseCount)\""
                + " failures=\"\(suite.failedCount)\" errors=\"\(suite.isBroken ? 1 : 0)\""
                + " skipped=\"\(suite.skippedCount)\" time=\"\(seconds(suite.seconds))\">"
        ]
        if suite.isBroken {
            let errors = suite.diagnostics.filter { $0.severity == .error }
            let text = errors.map(\.description).joined(separator: "\n\n")
            lines += testCase(
                "can be read", suite, line: errors.first?.line ?? 0, seconds: 0,
                inner: element("error", errors.first?.message ?? "", text))
        }
        for result in suite.results {
            var inner: [String] = []
            switch result.ending {
            case .passed: break
            case .skipped(let reason):
                inner = ["      <skipped message=\"\(escaped(reason))\"/>"]
            case .failed(let mismatches):
                inner = element(
                    "failure", mismatches.first?.headline ?? "",
                    mismatches.map { text(of: $0, suite) }.joined(separator: "\n"))
            }
            lines += testCase(
                result.test.name, suite, line: result.test.line, seconds: result.seconds,
                inner: inner)
        }
        return lines + ["  </testsuite>"]
    }

    private static func testCase(
        _ name: String, _ suite: ConnectorTestSuite, line: Int, seconds: Double, inner: [String]
    ) -> [String] {
        let start =
            "    <testcase name=\"\(escaped(name))\" classname=\"\(escaped(suite.connector))\""
            + " file=\"\(escaped(suite.testFile))\" line=\"\(line)\""
            + " time=\"\(Self.seconds(seconds))\""
        return inner.isEmpty ? [start + "/>"] : [start + ">"] + inner + ["    </testcase>"]
    }

    private static func element(_ name: String, _ message: String, _ text: String) -> [String] {
        [
            "      <\(name) message=\"\(escaped(message))\" type=\"\(name)\">",
            escaped(text, keepsLines: true), "      </\(name)>",
        ]
    }

    private static func text(of mismatch: TestMismatch, _ suite: ConnectorTestSuite) -> String {
        let location = "\(suite.testFile):\(mismatch.line): \(mismatch.headline)"
        return ([location] + mismatch.details).joined(separator: "\n")
    }

    /// Seconds with three decimals.
    private static func seconds(_ seconds: Double) -> String {
        let thousandths = Int((seconds * 1000).rounded())
        let fraction = String(thousandths % 1000)
        let zeros = String(repeating: "0", count: 3 - fraction.count)
        return "\(thousandths / 1000).\(zeros)\(fraction)"
    }

    /// Escapes a string for XML 1.0; unsupported characters become U+FFFD.
    private static func escaped(_ text: String, keepsLines: Bool = false) -> String {
        var result = ""
        for scalar in (keepsLines ? SafeText.lines(text) : SafeText.line(text)).unicodeScalars {
            switch scalar {
            case "&": result += "&amp;"
            case "<": result += "&lt;"
            case ">": result += "&gt;"
            case "\"": result += "&quot;"
            case "\n" where keepsLines: result += "\n"
            case "\n", "\t", "\r": result += "&#\(scalar.value);"
            case "\u{20}"..."\u{FFFD}", "\u{10000}"...: result.unicodeScalars.append(scalar)
            default: result += "\u{FFFD}"
            }
        }
        return result
    }
}

extension ConnectorTestSuite {
    /// The number of tests, plus one if a file is invalid.
    fileprivate var caseCount: Int { results.count + (isBroken ? 1 : 0) }
}
