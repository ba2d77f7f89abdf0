/// One row of the judge's table: a violation, and the response to it.
public struct JudgeRule: Sendable {
    /// The origin of a rule.
    public enum Basis: String, Sendable {
        /// Apple's documentation.
        case documented
        /// Observations of others, or common sense.
        case assumed
    }

    /// When a request violates a rule.
    enum Condition: Sendable {
        typealias Test = @Sendable (borrowing PushRequest, inout Judge) -> Bool

        /// The test returns true.
        case test(Test)
        /// Verifying its provider token had this result.
        case finding(ProviderTokenFinding)

        func holds(for request: borrowing PushRequest, _ judge: inout Judge) -> Bool {
            switch self {
            case .test(let test): test(request, &judge)
            case .finding(let finding): judge.finding == finding
            }
        }
    }

    /// A short description of the violation.
    public let fault: String
    /// The HTTP status of the response.
    public let status: Int
    /// Apple's reason.
    public let reason: String
    /// The origin of the rule.
    public let basis: Basis
    let condition: Condition

    init(
        _ status: Int, _ reason: String, _ basis: Basis, _ fault: String,
        when isBroken: @escaping Condition.Test
    ) {
        self.init(status, reason, basis, fault, .test(isBroken))
    }

    init(
        _ status: Int, _ reason: String, _ basis: Basis, _ fault: String, _ condition: Condition
    ) {
        self.fault = fault
        self.status = status
        self.reason = reason
        self.basis = basis
        self.condition = condition
    }

    /// The same rule where Apple's documentation does not name its reason.
    var assumed: JudgeRule { JudgeRule(status, reason, .assumed, fault, condition) }
}
