public import Configuration

/// The result of one check of ``Doctor``.
public struct DoctorFinding: Equatable, Sendable {
    /// What a check came to.
    public enum Result: String, CaseIterable, Sendable {
        /// Nothing needs to be done.
        case passed
        /// The connector runs, but something should be changed.
        case warning
        /// The connector cannot run, or would lose its right to push.
        case failed
        /// The check could not be made; `detail` says why.
        case notChecked = "not_checked"
    }

    /// The connector's name; nil for what concerns the whole process.
    public var connector: String?
    /// What was checked, for example `kafka` or `topic apns.outcomes`.
    public var check: String
    /// What the check came to.
    public var result: Result
    /// What was found, in one line.
    public var detail: String
    /// What to do about it; nil when there is nothing to do.
    public var action: String?

    /// Describes the result of a check.
    public init(
        _ connector: String?, _ check: String, _ result: Result, _ detail: String,
        action: String? = nil
    ) {
        self.connector = connector
        self.check = check
        self.result = result
        self.detail = detail
        self.action = action
    }
}

extension DoctorFinding {
    /// A finding about a place in the connector's file.
    public init(_ connector: String?, _ check: String, _ problem: Diagnostic) {
        let location = problem.line > 0 ? "\(problem.file):\(problem.line)" : problem.file
        self.init(
            connector, check, problem.severity == .error ? .failed : .warning,
            "\(problem.message) (\(location))", action: problem.remedy)
    }
}
