extension ReasonTable {
    /// What a status alone says: no reason came with it, or one that is not recognized.
    static let statusRows: [ReasonRow] = [
        ReasonRow(
            404...405, .absent, .suspend,
            "APNs gives a reason with it: the endpoint is probably not APNs; check endpoint and"
                + " proxy."
        ).concerns(.endpoint),
        ReasonRow(
            410...410, .absent, .unregistered, "The device token is no longer valid."
        ).provesTheCredential(),
        ReasonRow(429...429, .absent, .retryLater, "Too much at once: tried again later."),
        ReasonRow(500...500, .absent, .retryLater, "An error in APNs: tried again later."),
        ReasonRow(503...503, .absent, .retryLater, "APNs is busy: tried again later.")
            .concerns(.endpoint),
        ReasonRow(400...400, .absent, .rejected, "Refused without a reason."),
        ReasonRow(413...413, .absent, .rejected, "The payload is too large."),
        ReasonRow(
            200...299, .other, .accepted,
            "A success that Apple does not document: the push was accepted."
        ).provesTheCredential(),
        refusedCredential(401), refusedCredential(403), refusedCredential(407),
        ReasonRow(
            408...408, .other, .retryLater, "Too slow, for an unrecognized reason: tried later."
        ),
        ReasonRow(
            410...410, .other, .unregistered,
            "The device token is no longer valid, for an unrecognized reason."
        ).provesTheCredential(),
        ReasonRow(
            429...429, .other, .retryLater,
            "Too much at once, for an unrecognized reason: tried again later."),
        ReasonRow(
            400...499, .other, .rejected,
            "Refused for an unrecognized reason: look at the dead letter."),
        ReasonRow(
            500...599, .other, .retryLater,
            "An error in APNs, for an unrecognized reason: tried again later."
        ).concerns(.endpoint),
        ReasonRow(
            0...999, .other, .suspend,
            "APNs never responds with this status: the endpoint is probably not APNs; check it."
        ).concerns(.endpoint),
    ]

    private static func refusedCredential(_ status: Int) -> ReasonRow {
        ReasonRow(
            status...status, .other, .suspend,
            "The credential was refused for an unrecognized reason: check it."
        )
        .concerns(.credential).says(.refused)
        .means(
            withKey: "The key was refused for an unrecognized reason: check key, key_id and"
                + " team_id."
        )
        .means(
            withCertificate: "The certificate was refused for an unrecognized reason: check"
                + " certificate.")
    }
}
