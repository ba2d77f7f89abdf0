/// The rows of responses with a reason.
extension ReasonTable {
    /// The request itself was wrong.
    static let requestRows: [ReasonRow] = [
        ReasonRow(400, "BadCollapseId", .rejected, "The collapse ID is longer than 64 bytes."),
        ReasonRow(
            400, "BadDeviceToken", .suspect,
            "The device token is not valid, or belongs to the other environment: check"
                + " apns.environment."),
        ReasonRow(
            400, "BadExpirationDate", .rejected,
            "The expiration is not a time in seconds, or is not 0 although the channel of the"
                + " broadcast stores nothing: write expiration: 0."),
        ReasonRow(
            400, "BadMessageId", .rejected,
            "The apns-id, or the apns-request-id of a broadcast, is not a valid UUID."),
        ReasonRow(400, "BadPriority", .rejected, "The priority is not allowed for the push type."),
        ReasonRow(
            400, "BadTopic", .rejected,
            "The bundle identifier is not valid: check bundle_id and push_type."),
        ReasonRow(
            400, "DeviceTokenNotForTopic", .suspect,
            "The device token belongs to another app: check bundle_id before deleting the token."),
        ReasonRow(
            400, "DuplicateHeaders", .rejected,
            "A header appeared twice: a bug in apns-bridge or a proxy; report it."
        ).isOurs(),
        ReasonRow(
            400, "IdleTimeout", .retryNow,
            "The connection was idle too long: sent again on a new one."
        ).concerns(.connection).replacesItsConnection(),
        ReasonRow(400, "InvalidPushType", .rejected, "Apple does not know this push type."),
        ReasonRow(400, "MissingDeviceToken", .rejected, "The path has no device token."),
        ReasonRow(400, "MissingTopic", .rejected, "The bundle identifier is missing."),
        ReasonRow(400, "PayloadEmpty", .rejected, "The payload is empty."),
        notForApp(400, "TopicDisallowed"),
        ReasonRow(
            404, "BadPath", .rejected,
            "The path was wrong: a bug in apns-bridge or the endpoint; report it."
        ).isOurs(),
        ReasonRow(
            405, "MethodNotAllowed", .rejected,
            "The method was not POST: a bug in apns-bridge or a proxy; report it."
        ).isOurs(),
        ReasonRow(
            413, "PayloadTooLarge", .rejected,
            "The payload is larger than 4096 bytes, or 5120 for voip and broadcasts."),
    ]

    /// The credential was wrong.
    static let credentialRows: [ReasonRow] = [
        aboutCertificate("BadCertificate", "The certificate is not valid: check or renew it."),
        aboutCertificate(
            "BadCertificateEnvironment",
            "The certificate is for the other environment: check apns.environment."),
        aboutProviderToken(
            "BadEnvironmentKeyIdInToken", .suspend,
            "The key is for the other environment: check key, key_id and apns.environment."),
        aboutProviderToken(
            "BadEnvironmentKeyInToken", .suspend,
            "The key is for the other environment: check key, key_id and apns.environment."),
        aboutProviderToken(
            "ExpiredProviderToken", .retryOnce,
            "The provider token has expired: sent again with a new one; check the clock."
        ).says(.expired).replacesItsConnection(),
        ReasonRow(
            403, "Forbidden", .suspend,
            "The credential does not permit this: check key, key_id and team_id, or certificate."
        )
        .concerns(.credential).says(.refused)
        .means(withKey: "The key does not permit this: check key, key_id and team_id.")
        .means(
            withCertificate:
                "The certificate does not permit this: check certificate, and that Apple"
                + " has not revoked it."),
        aboutProviderToken(
            "InvalidProviderToken", .suspend,
            "The provider token is not valid, or its key is revoked: check key, key_id and team_id."
        ),
        aboutProviderToken(
            "MissingProviderToken", .suspend, "No provider token arrived: check key and proxy."),
        aboutProviderToken(
            "UnrelatedKeyIdInToken", .retryOnce,
            "Two unrelated keys were used on one connection: sent again on a new one."
        ).replacesItsConnection(),
        notForApp(403, "TopicMismatch"),
    ]

    /// The device token is no longer valid.
    static let tokenRows: [ReasonRow] = [
        ReasonRow(
            410, "ExpiredToken", .unregistered, "The device token has expired: do not use it again."
        ),
        ReasonRow(
            410, "Unregistered", .unregistered,
            "The app was removed from the device: do not use the token again."),
    ]

    /// Too many requests, or an error in APNs.
    static let loadRows: [ReasonRow] = [
        ReasonRow(
            429, "TooManyProviderTokenUpdates", .retryLater,
            "The key's provider token changed within 20 minutes: another program signs with the"
                + " key. Several processes of the bridge do not cause this."
        ).concerns(.connection).says(.changedTooOften),
        ReasonRow(
            429, "TooManyRequests", .retryLater,
            "Too many pushes to one device token, or too many requests about broadcasts: retried"
                + " later."
        ).provesTheCredential(),
        ReasonRow(
            500, "InternalServerError", .retryLater, "An error in APNs: retried later."),
        ReasonRow(503, "ServiceUnavailable", .retryLater, "APNs is busy: retried later.")
            .concerns(.route),
        ReasonRow(503, "Service Unavailable", .retryLater, "APNs is busy: retried later.")
            .concerns(.route),
        ReasonRow(
            503, "Shutdown", .retryNow,
            "This APNs server is shutting down: sent again on another connection."
        ).concerns(.connection).replacesItsConnection(),
    ]

    /// Broadcasts and their channels.
    static let broadcastRows: [ReasonRow] = [
        ReasonRow(
            400, "BadChannelId", .rejected,
            "The channel ID is not valid Base64, or is too long: it is what APNs returned when the"
                + " channel was created."),
        ReasonRow(
            400, "BadRequestParams", .rejected,
            "A member of the request's JSON is unknown, or its value is not valid."),
        ReasonRow(
            400, "BadRequestPayload", .rejected,
            "The payload of the broadcast, or the body of a request for a channel, is not valid."),
        ReasonRow(
            400, "BroadcastFeatureNotEnabled", .suspend,
            "Broadcasts are disabled for the app: enable them in Apple's developer portal."
        ).concerns(.app),
        ReasonRow(
            400, "CannotCreateChannelConfig", .suspend,
            "The app already has 10,000 channels: delete those that are no longer used."
        ).concerns(.app),
        ReasonRow(
            400, "ChannelNotRegistered", .rejected,
            "The app has no such channel in this environment: it was deleted, or belongs to another"
                + " app or environment."),
        ReasonRow(
            400, "FeatureNotEnabled", .suspend,
            "Broadcasts are disabled for the app: enable them in Apple's developer portal."
        ).concerns(.app),
        ReasonRow(400, "MissingChannelId", .rejected, "The request names no channel."),
        ReasonRow(400, "MissingPushType", .rejected, "The push type is missing."),
    ]

    private static func notForApp(_ status: Int, _ reason: String) -> ReasonRow {
        ReasonRow(
            status, reason, .suspend,
            "The credential is not for this bundle identifier: check bundle_id, and key or"
                + " certificate."
        )
        .concerns(.app).isAboutTheBundleID()
        .means(
            withKey: "The key is not for this bundle identifier: check bundle_id, key and"
                + " team_id."
        )
        .means(
            withCertificate: "The certificate is not for this bundle identifier: check bundle_id"
                + " and certificate.")
    }

    private static func aboutCertificate(_ reason: String, _ meaning: String) -> ReasonRow {
        ReasonRow(403, reason, .suspend, meaning)
            .concerns(.credential)
            .means(
                withKey:
                    "APNs complains about a certificate although a key is used: check endpoint and"
                    + " proxy.")
    }

    private static func aboutProviderToken(
        _ reason: String, _ reaction: Reaction, _ meaning: String
    ) -> ReasonRow {
        ReasonRow(403, reason, reaction, meaning)
            .concerns(.credential).says(.refused)
            .means(
                withCertificate: "APNs asks for a provider token although a certificate is used:"
                    + " check endpoint and proxy, which must not end TLS.")
    }
}
