/// Every response that APNs is known to send for a push, and what to do about each: the only code
/// that knows Apple's reasons.
///
/// Source: Apple, *Handling notification responses from APNs*, plus spellings observed on the wire.
/// The status decides: the reason only selects among the rows of that status.
public enum ReasonTable {
    /// All rows; the first match counts, and the last rows match anything.
    public static let rows: [ReasonRow] =
        [unidentified, accepted] + requestRows + credentialRows + tokenRows + loadRows
        + broadcastRows + statusRows

    /// APNs has accepted the push.
    static let accepted = ReasonRow(200...200, .absent, .accepted, "APNs accepted the push.")
        .provesTheCredential()

    /// The push was accepted, but not by APNs.
    private static let unidentified = ReasonRow(
        200...200, .unidentified, .notAPNs,
        "The response does not carry the apns-id that was sent: \(notAPNs)"
    ).concerns(.route).leavesDoubt()

    /// The meaning of a response that APNs does not send.
    static let notAPNs =
        "the peer is not APNs (a gateway or captive portal); check endpoint and proxy."

    /// What to do about a response.
    public static func reaction(status: Int, reason: String) -> Reaction {
        row(status: status, reason: reason).reaction
    }

    /// The row of a response; `isIdentified` is true when it carries the `apns-id` that was sent.
    public static func row(
        status: Int, reason: String, isIdentified: Bool = true
    ) -> ReasonRow {
        if status == 200 { return isIdentified ? accepted : unidentified }
        return rows.first {
            $0.matches(status: status, reason: reason, isIdentified: isIdentified)
        } ?? rows[rows.count - 1]
    }

    /// The rows with this reason, for any status and in any spelling.
    public static func rows(named reason: String) -> [ReasonRow] {
        rows.filter { $0.reason?.lowercased() == reason.lowercased() }
    }

    /// What a response means when pushing with that kind of credential, and what to check.
    public static func meaning(
        status: Int, reason: String, of kind: APNsCredential.Kind
    ) -> String {
        row(status: status, reason: reason).meaning(for: kind)
    }

    /// The row of a reason without a status, as in a GOAWAY; nil when it does not concern the
    /// credential.
    ///
    /// A provider token that is too old only counts if no request has succeeded before: a new
    /// connection starts with a new token.
    static func refusal(goAway reason: String, hadSuccess: Bool) -> ReasonRow? {
        rows(named: reason).first {
            $0.scope == .credential && ($0.reaction == .suspend || !hadSuccess)
        }
    }
}
