extension ReasonTable {
    /// The rows of responses with a status only: without a reason, or with an unrecognized one.
    ///
    /// APNs gives a reason whenever it rejects. A rejection without one comes from an intermediary,
    /// and is believed only where that is harmless: when it asks to wait, or rejects the
    /// credential.
    static let statusRows: [ReasonRow] = [
        refusedCredential(403...403, .absent),
        ReasonRow(408...408, .absent, .retryLater, "The request timed out: retried later."),
        ReasonRow(429...429, .absent, .retryLater, "Too many requests: retried later."),
        foreign(400...499, .absent, "APNs always gives a reason with this status: \(notAPNs)"),
        ReasonRow(500...500, .absent, .retryLater, "An error in APNs: retried later."),
        ReasonRow(503...503, .absent, .retryLater, "APNs is busy: retried later.")
            .concerns(.route),
        foreign(200...299, .other, "APNs never sends this response: \(notAPNs)").leavesDoubt(),
        refusedCredential(401...401, .other), refusedCredential(403...403, .other),
        refusedCredential(407...407, .other),
        ReasonRow(
            408...408, .other, .retryLater,
            "The request timed out, with an unrecognized reason: retried later."),
        ReasonRow(
            410...410, .other, .suspect,
            "The device token was rejected with an unrecognized reason: see the dead letter."),
        ReasonRow(
            429...429, .other, .retryLater,
            "Too many requests, with an unrecognized reason: retried later."),
        ReasonRow(
            400...499, .other, .rejected,
            "Rejected with an unrecognized reason: see the dead letter."),
        ReasonRow(
            500...599, .other, .retryLater,
            "An error in APNs, with an unrecognized reason: retried later."
        ).concerns(.route),
        foreign(0...999, .other, "APNs never sends this response: \(notAPNs)"),
    ]

    private static func foreign(
        _ statuses: ClosedRange<Int>, _ match: ReasonRow.Match, _ meaning: String
    ) -> ReasonRow {
        ReasonRow(statuses, match, .notAPNs, meaning).concerns(.route)
    }

    private static func refusedCredential(
        _ statuses: ClosedRange<Int>, _ match: ReasonRow.Match
    ) -> ReasonRow {
        let end =
            match == .absent
            ? "was rejected without a reason" : "was rejected with an unrecognized reason"
        return ReasonRow(statuses, match, .suspend, "The credential \(end): check it.")
            .concerns(.credential).says(.refused)
            .means(withKey: "The key \(end): check key, key_id and team_id.")
            .means(withCertificate: "The certificate \(end): check certificate.")
    }
}
