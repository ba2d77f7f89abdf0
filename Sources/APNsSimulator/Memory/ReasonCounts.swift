/// The number of responses with each status and reason.
public struct ReasonCounts: Sendable {
    /// One combination of status and reason.
    public struct Row: Equatable, Sendable {
        /// The HTTP status; 0 for a connection that was cut instead.
        public let status: Int
        /// Apple's reason; nil when there was none.
        public let reason: String?
        /// The number of responses.
        public fileprivate(set) var count: Int
    }

    /// All combinations, in the order of their first occurrence.
    public private(set) var rows: [Row] = []
    /// Scenarios may define reasons, so their number is limited.
    private static let limit = 200

    mutating func count(_ judgement: Judgement?) {
        let status = judgement?.status ?? 0
        for index in rows.indices
        where rows[index].status == status && rows[index].reason == judgement?.reason {
            rows[index].count += 1
            return
        }
        if rows.count < Self.limit {
            rows.append(Row(status: status, reason: judgement?.reason, count: 1))
        }
    }
}
