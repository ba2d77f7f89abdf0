/// Every response that APNs is known to give to a push, and what is done about each: the only place
/// that knows Apple's reasons.
///
/// Source: Apple, *Handling notification responses from APNs*, with the spellings that were seen
/// on the wire. The status decides: the reason only chooses among the rows of that status.
public enum ReasonTable {
    /// All rows; the first one that matches a response counts, and the last ones match any.
    public static let rows: [ReasonRow] =
        [unidentified, accepted] + requestRows + credentialRows + tokenRows + loadRows
        + broadcastRows + statusRows

    /// APNs has taken the push.
    static let accepted = ReasonRow(200...200, .absent, .accepted, "APNs accepted the push.")
        .provesTheCredential()

    /// Somebody has taken the push, but it was not APNs.
    private static let unidentified = ReasonRow(
        200...200, .unidentified, .notAPNs,
        "The response does not carry the apns-id that was sent: \(notAPNs)"
    ).concerns(.route).leavesDoubt()

    /// What a response means that APNs does not give.
    static let notAPNs =
        "the peer is not APNs (a gateway or captive portal); check endpoint and proxy."

    /// What is done about a response.
    public static func reaction(status: Int, reason: String) -> Reaction {
        row(status: status, reason: reason).reaction
    }

    /// The row of a response; `isIdentified` says whether it carries the `apns-id` that was sent.
    public static func row(
        status: Int, reason: String, isIdentified: Bool = true
    ) -> ReasonRow {
        if status == 200 { return isIdentified ? accepted : unidentified }
        return rows.first {
            $0.matches(status: status, reason: reason, isIdentified: isIdentified)
        } ?? rows[rows.count - 1]
    }

    /// The rows that name this reason, whatever their status and whichever way it is spelled.
    public static func rows(named reason: String) -> [ReasonRow] {
        rows.filter { $0.reason?.lowercased() == reason.lowercased() }
    }

    /// What a response means to whoever pushes with that kind of credential, and what to look at.
    public static func meaning(
        status: Int, reason: String, of kind: APNsCredential.Kind
    ) -> String {
        row(status: status, reason: reason).meaning(for: kind)
    }

    /// The row of a reason that came without a status, as in a GOAWAY; nil when it refuses no
    /// credential.
    ///
    /// A provider token that is too old refuses it only where no request has succeeded before: a
    /// new connection begins with a new token.
    static func refusal(goAway reason: String, hadSuccess: Bool) -> ReasonRow? {
        rows(named: reason).first {
            $0.scope == .credential && ($0.reaction == .suspend || !hadSuccess)
        }
    }
}
