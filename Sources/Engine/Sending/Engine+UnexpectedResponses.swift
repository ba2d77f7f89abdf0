internal import APNs
internal import Delivery

/// Responses that are not in the table of reasons, or that a correct client never receives.
extension Engine {
    /// The most kinds of unexpected responses that are logged.
    private static var maxUnexpected: Int { 32 }

    /// Counts a response that is not in the table. Each kind is logged once, as are responses that
    /// a correct client never receives.
    mutating func reportUnexpected(_ response: APNsResponse, _ row: ReasonRow) {
        let isNew = !row.isRecognized
        if isNew { counters.add(\.newResponses) }
        // Suspending has its own alarm.
        let hasAlarm = row.reaction == .suspend || row.reaction == .notAPNs
        guard isNew && !hasAlarm || row.isOurFault else { return }
        let name = "\(response.status) \(response.reason)"
        guard unexpectedResponses.count < Self.maxUnexpected, !unexpectedResponses.contains(name)
        else { return }
        unexpectedResponses.append(name)
        let odd = Notice.OddResponse(
            status: response.status, reason: response.reason, meaning: row.meaning,
            reaction: row.reaction.message)
        notices.append(isNew ? .undocumented(odd) : .malformed(odd))
    }
}
