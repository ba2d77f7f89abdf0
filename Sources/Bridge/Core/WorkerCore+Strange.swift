internal import APNs
internal import Delivery

/// Answers that Apple did not give, or that nobody has heard of.
extension WorkerCore {
    /// A connection that was asked could not send it as it is: it has not left.
    mutating func unsendable(_ place: Int, _ reason: UnsendableReason) {
        guard notifications[place].stage == .sent else { return }
        ended(place)
        notifications[place].refusals = 0
        learnedNothing(from: place)
        notifications[place].attempts -= 1
        if notifications[place].attempts == 0 { notifications[place].sentAt = nil }
        finish(place, dropped: reason == .notInCertificate ? .notInCertificate : .unsendable)
    }

    /// More kinds of strange answers than this say nothing new.
    private static var mostStrange: Int { 32 }

    /// Counts an answer that is not in the table, and tells of each kind once; so it does of those
    /// that a correct client never gets.
    mutating func noteStrange(_ answer: APNsResponse) {
        let row = answer.row
        let isNew = !row.isRecognized
        if isNew { counters.newAnswers += 1 }
        // A line that is held has an alarm of its own.
        guard isNew && row.reaction != .suspend && row.reaction != .notAPNs || row.isOurFault else {
            return
        }
        let name = "\(answer.status) \(answer.reason)"
        guard strangeAnswers.count < Self.mostStrange, !strangeAnswers.contains(name) else {
            return
        }
        strangeAnswers.append(name)
        notices.append(
            Notice(
                isNew ? .warning : .error,
                isNew
                    ? "APNs gives an answer that is new: its status decides"
                    : "APNs calls a request wrong in a way that none of ours should be",
                [
                    ("status", String(answer.status)), ("reason", answer.reason),
                    ("meaning", row.meaning), ("done", row.reaction.words),
                ]))
    }
}
