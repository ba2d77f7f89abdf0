extension ReasonTable {
    /// All rows, by status and reason.
    public static let rows: [ReasonRow] =
        [ReasonRow(200, "", .accepted, "APNs took the push.")]
        + requestRows + credentialRows + tokenRows + loadRows + broadcastRows

    /// The request itself was wrong.
    private static let requestRows: [ReasonRow] = [
        ReasonRow(400, "BadCollapseId", .rejected, "The collapse ID is longer than 64 bytes."),
        ReasonRow(
            400, "BadDeviceToken", .suspect,
            "The device token is no token, or one of the other environment: check apns.environment."
        ),
        ReasonRow(400, "BadExpirationDate", .rejected, "The expiration is no time in seconds."),
        ReasonRow(400, "BadMessageId", .rejected, "The apns-id is no UUID."),
        ReasonRow(400, "BadPriority", .rejected, "The priority is not one of the push type."),
        ReasonRow(
            400, "BadTopic", .rejected,
            "The bundle identifier is not valid: check bundle_id and push_type."),
        ReasonRow(
            400, "DeviceTokenNotForTopic", .suspect,
            "The device token belongs to another app: check bundle_id before deleting the token."),
        ReasonRow(
            400, "DuplicateHeaders", .rejected,
            "A header came twice: a mistake of apns-bridge or of a proxy; report it."),
        ReasonRow(
            400, "IdleTimeout", .retryNow, replacesConnection: true,
            "The connection was idle too long: sent again on a new one."),
        ReasonRow(400, "InvalidPushType", .rejected, "The push type is none of Apple's."),
        ReasonRow(400, "MissingDeviceToken", .rejected, "The path has no device token."),
        ReasonRow(400, "MissingTopic", .rejected, "The bundle identifier is missing."),
        ReasonRow(400, "PayloadEmpty", .rejected, "The payload is empty."),
        ReasonRow(
            400, "TopicDisallowed", .hold,
            "The credential may not push to this bundle identifier: check bundle_id, and key or"
                + " certificate."),
        ReasonRow(
            404, "BadPath", .rejected,
            "The path was wrong: a mistake of apns-bridge or of the endpoint; report it."),
        ReasonRow(
            405, "MethodNotAllowed", .rejected,
            "The method was not POST: a mistake of apns-bridge or of a proxy; report it."),
        ReasonRow(
            413, "PayloadTooLarge", .rejected,
            "The payload is larger than 4096 bytes, or 5120 for voip."),
    ]

    /// The credential was wrong.
    private static let credentialRows: [ReasonRow] = [
        ReasonRow(
            403, "BadCertificate", .hold, "The certificate is not valid: check or renew it."),
        ReasonRow(
            403, "BadCertificateEnvironment", .hold,
            "The certificate is for the other environment: check apns.environment."),
        ReasonRow(
            403, "BadEnvironmentKeyIdInToken", .hold,
            "The key is for the other environment: check key, key_id and apns.environment."),
        ReasonRow(
            403, "BadEnvironmentKeyInToken", .hold,
            "The key is for the other environment: check key, key_id and apns.environment."),
        ReasonRow(
            403, "ExpiredProviderToken", .retryOnce, replacesConnection: true,
            "The provider token is too old: sent again with a new one; check the clock."),
        ReasonRow(
            403, "Forbidden", .hold,
            "The credential may not do this: check key, key_id and team_id, or certificate."),
        ReasonRow(
            403, "InvalidProviderToken", .hold,
            "The provider token is not valid, or its key revoked: check key, key_id and team_id."
        ),
        ReasonRow(
            403, "MissingProviderToken", .hold, "No provider token arrived: check key and proxy."),
        ReasonRow(
            403, "UnrelatedKeyIdInToken", .retryOnce, replacesConnection: true,
            "Two unrelated keys met on one connection: sent again on a new one."),
        ReasonRow(
            403, "TopicMismatch", .hold,
            "The credential does not cover the bundle identifier: check bundle_id, and key or"
                + " certificate."),
    ]

    /// The device token is dead.
    private static let tokenRows: [ReasonRow] = [
        ReasonRow(
            410, "ExpiredToken", .unregistered, "The device token has expired: do not use it again."
        ),
        ReasonRow(
            410, "Unregistered", .unregistered,
            "The app was removed from the device: do not use the token again."),
    ]

    /// Too much, or trouble at Apple's.
    private static let loadRows: [ReasonRow] = [
        ReasonRow(
            429, "TooManyProviderTokenUpdates", .retryLater,
            "Provider tokens change more often than every 20 minutes: use one key in one place."),
        ReasonRow(
            429, "TooManyRequests", .retryLater,
            "Too many pushes to one device token: tried again later."),
        ReasonRow(
            500, "InternalServerError", .retryLater, "Trouble at Apple's: tried again later."),
        ReasonRow(503, "ServiceUnavailable", .retryLater, "APNs is busy: tried again later."),
        ReasonRow(503, "Service Unavailable", .retryLater, "APNs is busy: tried again later."),
        ReasonRow(
            503, "Shutdown", .retryNow, replacesConnection: true,
            "This APNs server is going down: sent again on another connection."),
    ]

    /// Broadcasts and their channels.
    private static let broadcastRows: [ReasonRow] = [
        ReasonRow(400, "BadChannelId", .rejected, "The channel ID is not valid."),
        ReasonRow(400, "BadRequestParams", .rejected, "A header of the broadcast is not valid."),
        ReasonRow(
            400, "BadRequestPayload", .rejected, "The payload of the broadcast is not valid."),
        ReasonRow(
            400, "BroadcastFeatureNotEnabled", .hold,
            "Broadcasts are switched off for the app: enable them in Apple's developer portal."),
        ReasonRow(
            400, "CannotCreateChannelConfig", .hold,
            "The app has its 10,000 channels already: delete some."),
        ReasonRow(
            400, "ChannelNotRegistered", .rejected, "The channel does not exist, or no longer."),
        ReasonRow(
            400, "FeatureNotEnabled", .hold,
            "Broadcasts are switched off for the app: enable them in Apple's developer portal."),
        ReasonRow(400, "MissingChannelId", .rejected, "The broadcast names no channel."),
        ReasonRow(400, "MissingPushType", .rejected, "The push type is missing."),
    ]
}
