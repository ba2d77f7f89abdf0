internal import APNs
internal import Delivery

/// Responses that nobody has heard of, or that a correct client never gets.
extension Engine {
    /// More kinds of unexpected responses than this say nothing new.
    private static var mostUnexpected: Int { 32 }

    /// Counts a response that is not in the table, and tells of each kind once; so it does of those
    /// that a correct client never gets.
    mutating func noteUnexpected(_ response: APNsResponse, _ row: ReasonRow) {
        let isNew = !row.isRecognized
        if isNew { counters.newResponses += 1 }
        // Suspended sending has an alarm of its own.
        let hasAlarm = row.reaction == .suspend || row.reaction == .notAPNs
        guard isNew && !hasAlarm || row.isOurFault else { return }
        let name = "\(response.status) \(response.reason)"
        guard unexpectedResponses.count < Self.mostUnexpected, !unexpectedResponses.contains(name)
        else { return }
        unexpectedResponses.append(name)
        notices.append(
            Notice(
                isNew ? .warning : .error,
                isNew
                    ? "APNs gave a response that is not documented; its status decides"
                    : "APNs rejected a request as malformed; report this as a bug",
                [
                    ("status", .number(response.status)), ("reason", .text(response.reason)),
                    ("meaning", .text(row.meaning)), ("done", .text(row.reaction.words)),
                ]))
    }
}
