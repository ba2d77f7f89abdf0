/// One row of the judge's table: a fault, and the response to it.
public struct JudgeRule: Sendable {
    /// Where a rule comes from.
    public enum Basis: String, Sendable {
        /// Apple's documentation says so.
        case documented
        /// It follows from what others observed, or from good sense.
        case assumed
    }

    /// When a request breaks a rule.
    enum Condition: Sendable {
        typealias Test = @Sendable (borrowing PushRequest, inout Judge) -> Bool

        /// The test says so.
        case test(Test)
        /// Its provider token has turned out to be this.
        case finding(ProviderTokenFinding)

        func holds(for request: borrowing PushRequest, _ judge: inout Judge) -> Bool {
            switch self {
            case .test(let test): test(request, &judge)
            case .finding(let finding): judge.finding == finding
            }
        }
    }

    /// What is wrong, in a few words.
    public let fault: String
    /// The HTTP status of the response.
    public let status: Int
    /// Apple's word for the fault.
    public let reason: String
    /// Where the rule comes from.
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
}
