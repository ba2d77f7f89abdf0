extension Judge {
    /// Every rule for broadcast pushes, in order.
    public static let broadcastRules: [JudgeRule] =
        [
            JudgeRule(405, "MethodNotAllowed", .documented, "the method is not POST") {
                request, _ in !request.has(.method, RequestBytes.post)
            }
        ] + sharedChannelRules + namedChannelRules + broadcastFieldRules + broadcastBodyRules

    /// What Apple documents for pushes to devices, but not for broadcasts and channels.
    private static let undocumentedReasons = [
        "DuplicateHeaders", "BadEnvironmentKeyIdInToken", "UnrelatedKeyIdInToken",
    ]

    /// The rules for all requests about broadcasts: the credential and its permissions for the app.
    static let sharedChannelRules =
        ([repeatedFieldRule] + credentialRules).map {
            undocumentedReasons.contains($0.reason) ? $0.assumed : $0
        } + [
            JudgeRule(
                400, "TopicDisallowed", .documented,
                "the path has the suffix of a push type after the bundle identifier"
            ) { request, _ in PushTypeTable.type(ofTopic: request.pathApp) != nil },
            JudgeRule(403, "TopicMismatch", .documented, "the credential is for other apps") {
                request, judge in !judge.allows(topic: request.pathApp)
            },
            JudgeRule(400, "FeatureNotEnabled", .documented, "the app may not broadcast") {
                _, judge in !judge.mayBroadcast
            },
            JudgeRule(400, "BadMessageId", .documented, "apns-request-id is not a UUID") {
                request, _ in
                request.present.contains(.requestID) && !RequestBytes.isUUID(request.requestID)
            },
        ]

    /// The rules for requests that contain a channel ID.
    static let namedChannelRules = [
        JudgeRule(400, "MissingChannelId", .documented, "apns-channel-id is missing") {
            request, judge in judge.namesChannel && request.channelID.isEmpty
        },
        JudgeRule(400, "BadChannelId", .documented, "apns-channel-id is not valid Base64") {
            request, judge in
            judge.namesChannel && !BroadcastChannel.isIdentifier([UInt8](request.channelID))
        },
        JudgeRule(400, "ChannelNotRegistered", .documented, "the app has no such channel") {
            request, judge in
            guard judge.namesChannel else { return false }
            let app = String(decoding: request.pathApp, as: UTF8.self)
            judge.channel = judge.channels.channel([UInt8](request.channelID), of: app)
            return judge.channel == nil
        },
    ]

    private static let broadcastFieldRules = [
        JudgeRule(400, "MissingPushType", .documented, "apns-push-type is missing") {
            request, _ in request.pushType.isEmpty
        },
        JudgeRule(400, "InvalidPushType", .documented, "only liveactivity can be broadcast") {
            request, _ in !request.has(.pushType, RequestBytes.liveActivity)
        },
        JudgeRule(
            400, "BadExpirationDate", .documented, "apns-expiration is missing or not a time"
        ) { request, _ in !RequestBytes.isSeconds(request.expiration)
        },
        JudgeRule(
            400, "BadExpirationDate", .documented,
            "apns-expiration must be 0 on a channel without storage"
        ) { request, judge in
            judge.channel?.storesLatest == false
                && request.expiration.contains { $0 != UInt8(ascii: "0") }
        },
        JudgeRule(400, "BadPriority", .documented, "apns-priority is missing or not 10, 5 or 1") {
            request, _ in !request.hasPriority
        },
    ]

    private static let broadcastBodyRules = [
        JudgeRule(400, "PayloadEmpty", .documented, "the payload is missing") { request, _ in
            request.body.isEmpty && !request.bodyWasTooLong
        },
        JudgeRule(413, "PayloadTooLarge", .documented, "over 5120 bytes") { request, _ in
            request.bodyWasTooLong || request.body.count > 5120
        },
        JudgeRule(400, "BadRequestPayload", .documented, "the payload is not a JSON object") {
            request, judge in !judge.payload.isObject(request.body)
        },
        JudgeRule(400, "BadRequestPayload", .assumed, "a broadcast cannot start an activity") {
            request, _ in ChannelOrder.beginsActivity(request.body)
        },
    ]
}
