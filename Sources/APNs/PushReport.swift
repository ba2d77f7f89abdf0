/// What became of a push that was sent on its own, without a worker.
public struct PushReport: Equatable, Sendable {
    /// The end of a push.
    public enum Result: Equatable, Sendable {
        /// APNs responded.
        case responded(APNsResponse)
        /// APNs closed the connection because of the credential, for this reason.
        case credentialRefused(reason: String)
        /// It cannot be sent as it is; APNs has not seen it.
        case unsendable(UnsendableReason)
        /// The peer rejected the request as a protocol error each time.
        case unacceptable(reason: String)
        /// It was sent, and no response came.
        case inDoubt(reason: String)
        /// It was not sent.
        case notSent(reason: String)
        /// The run was interrupted before this push had a response.
        case interrupted(wasSent: Bool)
    }

    /// How it ended.
    public var result: Result
    /// How long after its last request it ended, in milliseconds; nil if there was no request.
    public var milliseconds: Int64?

    /// Creates a report.
    public init(_ result: Result, milliseconds: Int64? = nil) {
        self.result = result
        self.milliseconds = milliseconds
    }
}
