/// Every response that Apple is known to give to a push, and what is done about each.
///
/// Source: Apple, *Handling notification responses from APNs*, with the spellings that were seen
/// on the wire. The status decides: the reason only chooses among the rows of that status.
public enum ReasonTable {
    /// What is done about a response.
    public static func reaction(status: Int, reason: String) -> Reaction {
        status == 200 ? .accepted : row(status: status, reason: reason).reaction
    }

    /// The row of a response, or one made after its status class when Apple's words are new.
    public static func row(status: Int, reason: String) -> ReasonRow {
        if status == 200 { return accepted }
        return rows.first { $0.status == status && $0.reason == reason }
            ?? unknown(status: status, reason: reason)
    }

    /// True when the table has a row for exactly these words.
    public static func isKnown(status: Int, reason: String) -> Bool {
        status == 200 || rows.contains { $0.status == status && $0.reason == reason }
    }

    /// True when Apple's words, or without words the status, are not in the table.
    public static func isNew(status: Int, reason: String) -> Bool {
        if reason.isEmpty { return !rows.contains { $0.status == status } }
        return !isKnown(status: status, reason: reason)
    }

    /// True for what Apple says only to a client or proxy that makes a mistake.
    public static func isOurMistake(_ reason: String) -> Bool {
        reason == "DuplicateHeaders" || reason == "BadPath" || reason == "MethodNotAllowed"
    }

    /// The rows that name this reason, whatever their status and whichever way it is spelled.
    public static func rows(named reason: String) -> [ReasonRow] {
        rows.filter { $0.reason.lowercased() == reason.lowercased() }
    }

    /// True when a reason that came without a status, as in a GOAWAY, refuses the credential.
    ///
    /// A provider token that is too old refuses it only where no request has succeeded before: a
    /// new connection begins with a new token.
    static func refusesCredential(_ reason: String, hadSuccess: Bool) -> Bool {
        rows(named: reason).contains {
            $0.status == 403 && ($0.reaction == .hold || !hadSuccess)
        }
    }

    private static let accepted = rows[0]

    /// What is done about a response that is not in the table, by its status class.
    private static func unknown(status: Int, reason: String) -> ReasonRow {
        func row(_ reaction: Reaction, _ meaning: String) -> ReasonRow {
            ReasonRow(status, reason, reaction, meaning)
        }
        switch status {
        case 200..<300:
            return row(.accepted, "A success that Apple does not document: the push was taken.")
        case 401, 403, 407:
            return row(.hold, "The credential was refused in words that are new: check it.")
        case 408, 429:
            return row(
                .retryLater, "Too much or too slow in words that are new: tried again later.")
        case 404 where reason.isEmpty, 405 where reason.isEmpty:
            return row(
                .hold,
                "APNs gives a reason with it: the endpoint is probably not APNs; check endpoint and"
                    + " proxy.")
        case 410:
            return row(.unregistered, "The device token is dead, without a known reason.")
        case 400..<500:
            return row(.rejected, "Refused for a reason that is new: look at the dead letter.")
        case 500..<600:
            return row(.retryLater, "Apple has trouble, in words that are new: tried again later.")
        default:
            return row(
                .hold, "No status that APNs gives: the endpoint is probably not APNs; check it.")
        }
    }
}
