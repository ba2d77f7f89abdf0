internal import Arguments
internal import Configuration

/// Why a measurement was not made, or what it found: one line that says what to do.
struct BenchFailure: Error, Equatable, CustomStringConvertible {
    let code: ExitCode
    /// The line to print.
    let description: String

    init(_ code: ExitCode, _ message: String) {
        self.code = code
        description = "error: \(message)"
    }

    /// The problems of a file, each with its place.
    init(_ code: ExitCode, report: [Diagnostic]) {
        self.code = code
        description = Diagnostic.report(report)
    }
}
