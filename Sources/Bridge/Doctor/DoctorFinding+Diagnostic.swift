public import Configuration

extension DoctorFinding {
    /// A finding about a place in the connector's file.
    public init(_ connector: String?, _ check: String, _ problem: Diagnostic) {
        let location = problem.line > 0 ? "\(problem.file):\(problem.line)" : problem.file
        self.init(
            connector, check, problem.severity == .error ? .failed : .warning,
            "\(problem.message) (\(location))", action: problem.remedy)
    }
}
