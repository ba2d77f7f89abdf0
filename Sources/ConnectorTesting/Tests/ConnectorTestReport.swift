internal import Encoding
internal import Spelling

/// The test results of several connectors, for display.
public struct ConnectorTestReport: Sendable {
    let suites: [ConnectorTestSuite]

    /// Creates a report on connectors, in order.
    public init(_ suites: [ConnectorTestSuite]) { self.suites = suites }

    /// The number of failed tests.
    public var failedCount: Int { suites.reduce(0) { $0 + $1.failedCount } }
    /// True when a file is invalid.
    public var isBroken: Bool { suites.contains { $0.isBroken } }

    /// A line for each connector that passed, and for each test that did not; empty if there are
    /// none.
    public func text(isColoured: Bool = false) -> String {
        let paint = Paint(isOn: isColoured)
        let width = (suites.map { SafeText.line($0.connector).count }.max() ?? 0) + 4
        var lines: [String] = []
        for suite in suites where !suite.results.isEmpty {
            let name = SafeText.line(suite.connector).padded(to: width)
            lines += suite.updated.map {
                paint.green("EDIT") + "  \(name)\(SafeText.line($0))"
            }
            for result in suite.results {
                let test = SafeText.line(result.test.name)
                switch result.ending {
                case .passed: continue
                case .skipped(let reason):
                    lines.append(
                        paint.dim("SKIP") + "  \(name)\(test): \(SafeText.line(reason))")
                case .failed(let mismatches):
                    lines.append(paint.red("FAIL") + "  \(name)\(test)")
                    for mismatch in mismatches {
                        lines += Self.lines(of: mismatch, in: suite.testFile, paint)
                    }
                }
            }
            if suite.failedCount == 0, suite.passedCount > 0 {
                let tests = Plural.counted(suite.passedCount, "test")
                lines.append(paint.green("PASS") + "  \(name)\(tests)")
            }
        }
        return lines.map { $0 + "\n" }.joined()
    }

    private static func lines(
        of mismatch: TestMismatch, in file: String, _ paint: Paint
    ) -> [String] {
        let location = SafeText.line("\(file):\(mismatch.line): \(mismatch.headline)")
        let details = mismatch.details.map { line in
            if line.hasPrefix("- ") { return paint.red(line) }
            return line.hasPrefix("+ ") ? paint.green(line) : SafeText.lines(line)
        }
        return ([location] + details).map { "      " + $0 }
    }

    /// A one-line summary, for example
    /// `2 connectors, 12 tests: 10 passed, 2 failed, 0 skipped (0.02 s)`.
    public var summary: String {
        let ran = suites.count { !$0.results.isEmpty }
        let count = suites.reduce(0) { $0 + $1.results.count }
        guard count > 0 else { return (["no test was run"] + broken).joined(separator: "\n") }
        let passed = suites.reduce(0) { $0 + $1.passedCount }
        let skipped = suites.reduce(0) { $0 + $1.skippedCount }
        let hundredths = Int((suites.reduce(0) { $0 + $1.seconds } * 100).rounded())
        let fraction = hundredths % 100 < 10 ? "0\(hundredths % 100)" : "\(hundredths % 100)"
        let text =
            Plural.counted(ran, "connector") + ", " + Plural.counted(count, "test")
            + ": \(passed) passed, \(failedCount) failed, \(skipped) skipped"
            + " (\(hundredths / 100).\(fraction) s)"
        return ([text] + broken).joined(separator: "\n")
    }

    /// The number of invalid files; empty when there are none.
    private var broken: [String] {
        let count = suites.count { $0.isBroken }
        guard count > 0 else { return [] }
        let message = count == 1 ? " was not run: fix its files" : " were not run: fix their files"
        return [Plural.counted(count, "connector") + message]
    }

    /// Colours, which add nothing that the text lacks.
    private struct Paint {
        let isOn: Bool

        func red(_ text: String) -> String { painted(text, "31") }
        func green(_ text: String) -> String { painted(text, "32") }
        func dim(_ text: String) -> String { painted(text, "2") }

        private func painted(_ text: String, _ code: String) -> String {
            let text = SafeText.lines(text)
            return isOn ? "\u{1B}[\(code)m\(text)\u{1B}[0m" : text
        }
    }
}

extension String {
    fileprivate func padded(to width: Int) -> String {
        self + String(repeating: " ", count: max(0, width - count))
    }
}
