/// How often each status and reason was sent.
public struct ReasonCounts: Sendable {
    /// One status with one reason.
    public struct Row: Equatable, Sendable {
        /// The HTTP status; 0 stands for a connection that was cut instead.
        public let status: Int
        /// Apple's word; nil when there was none.
        public let reason: String?
        /// How often.
        public fileprivate(set) var count: Int
    }

    /// All that came, in the order of their first coming.
    public private(set) var rows: [Row] = []
    /// Scenarios may invent reasons, but not without end.
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
