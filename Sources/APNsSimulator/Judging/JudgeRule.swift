/// One row of the judge's table: a fault, and the answer to it.
public struct JudgeRule: Sendable {
    /// Where a rule comes from.
    public enum Basis: String, Sendable {
        /// Apple's documentation says so.
        case documented
        /// It follows from what others observed, or from good sense.
        case assumed
    }

    /// What is wrong, in a few words.
    public let fault: String
    /// The HTTP status of the answer.
    public let status: Int
    /// Apple's word for the fault.
    public let reason: String
    /// Where the rule comes from.
    public let basis: Basis
    let isBroken: @Sendable (_ request: borrowing PushRequest, _ judge: inout Judge) -> Bool

    init(
        _ status: Int, _ reason: String, _ basis: Basis, _ fault: String,
        when isBroken: @escaping @Sendable (borrowing PushRequest, inout Judge) -> Bool
    ) {
        self.fault = fault
        self.status = status
        self.reason = reason
        self.basis = basis
        self.isBroken = isBroken
    }
}
