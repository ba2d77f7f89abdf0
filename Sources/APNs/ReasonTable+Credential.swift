extension ReasonTable {
    /// What a response means to whoever pushes with that kind of credential, and what to look at.
    ///
    /// The rows speak of every credential; whoever reads an alarm has one of them. `status` may be
    /// that of the row when the reason came without one, as in a GOAWAY.
    public static func meaning(
        status: Int, reason: String, of kind: APNsCredential.Kind
    ) -> String {
        switch (reason, kind) {
        case ("Forbidden", .key):
            "The key may not do this: check key, key_id and team_id."
        case ("Forbidden", .certificate):
            "The certificate may not do this: check certificate, and at Apple's that it is not"
                + " revoked."
        case ("TopicDisallowed", .key), ("TopicMismatch", .key):
            "The key may not push to this bundle identifier: check bundle_id, key and team_id."
        case ("TopicDisallowed", .certificate), ("TopicMismatch", .certificate):
            "The certificate is not for this bundle identifier: check bundle_id and certificate."
        case ("BadCertificate", .key), ("BadCertificateEnvironment", .key):
            "APNs speaks of a certificate where a key is used: check endpoint and proxy."
        case (_, .certificate) where speaksOfProviderToken(reason):
            "APNs wants a provider token, as if there were no certificate: check endpoint and"
                + " proxy, which must not end TLS."
        default: meaning(newWordsOf: kind, status, reason)
        }
    }

    private static func speaksOfProviderToken(_ reason: String) -> Bool {
        switch reason {
        case "InvalidProviderToken", "MissingProviderToken", "ExpiredProviderToken",
            "UnrelatedKeyIdInToken", "BadEnvironmentKeyIdInToken", "BadEnvironmentKeyInToken":
            true
        default: false
        }
    }

    private static func meaning(
        newWordsOf kind: APNsCredential.Kind, _ status: Int, _ reason: String
    ) -> String {
        guard !isKnown(status: status, reason: reason), [401, 403, 407].contains(status) else {
            return row(status: status, reason: reason).meaning
        }
        return switch kind {
        case .key: "The key was refused in words that are new: check key, key_id and team_id."
        case .certificate: "The certificate was refused in words that are new: check certificate."
        }
    }
}
