internal import Delivery

extension Judge {
    /// Every rule, in Apple's order.
    public static let rules: [JudgeRule] = requestRules + credentialRules + fieldRules + bodyRules

    private static let requestRules = [
        JudgeRule(405, "MethodNotAllowed", .documented, "the method is not POST") { request, _ in
            !request.has(.method, RequestBytes.post)
        },
        JudgeRule(404, "BadPath", .documented, "the path is not /3/device/TOKEN") { request, _ in
            !RequestBytes.isDevicePath(request.path)
        },
        repeatedFieldRule,
    ]

    static let repeatedFieldRule = JudgeRule(
        400, "DuplicateHeaders", .documented, "a header field is repeated"
    ) { request, _ in !request.repeated.isEmpty }

    static let credentialRules = [
        JudgeRule(403, "BadCertificate", .assumed, "the certificate is not a push certificate") {
            _, judge in judge.certificate?.isForPushes == false
        },
        JudgeRule(
            403, "BadCertificateEnvironment", .documented,
            "the certificate is for the other environment"
        ) { _, judge in judge.certificate?.isForEnvironment == false },
        JudgeRule(403, "MissingProviderToken", .documented, "no bearer token") { request, judge in
            guard judge.certificate == nil else {
                judge.finding = .ignored
                return false
            }
            judge.finding = judge.credential.verify(
                request, wallClock: judge.wallClock)
            return judge.finding == .missing
        },
        credential("InvalidProviderToken", .documented, "it is not a JSON Web Token", .malformed),
        credential("InvalidProviderToken", .documented, "its key is unknown", .unknownKey),
        credential(
            "InvalidProviderToken", .documented, "its team does not match the key's", .foreignTeam),
        credential("InvalidProviderToken", .documented, "its signature is invalid", .badSignature),
        credential(
            "BadEnvironmentKeyIdInToken", .documented, "its key is for the other environment",
            .otherEnvironment),
        credential("ExpiredProviderToken", .documented, "it is older than an hour", .expired),
        credential("ExpiredProviderToken", .assumed, "it was issued in the future", .future),
        credential(
            "InvalidProviderToken", .assumed, "the connection belongs to another team",
            .secondTeam),
        credential(
            "UnrelatedKeyIdInToken", .documented, "the connection belongs to an unrelated key",
            .unrelatedKey),
        JudgeRule(
            429, "TooManyProviderTokenUpdates", .documented,
            "the key's previous token was first used less than 20 minutes ago"
        ) { _, judge in judge.finding == .updatedTooSoon },
    ]

    private static func credential(
        _ reason: String, _ basis: JudgeRule.Basis, _ fault: String, _ finding: ProviderTokenFinding
    ) -> JudgeRule {
        JudgeRule(403, reason, basis, fault, .finding(finding))
    }

    private static let fieldRules = [
        JudgeRule(400, "MissingTopic", .documented, "apns-topic is missing") { request, judge in
            request.isEmpty(.topic) && judge.topic(of: request).isEmpty
        },
        JudgeRule(400, "BadTopic", .assumed, "apns-topic is not a bundle identifier") {
            request, judge in
            !judge.hasKnownTopic(request) && !RequestBytes.isTopic(request.topic)
        },
        JudgeRule(400, "TopicDisallowed", .documented, "the credential is for other apps") {
            request, judge in !judge.allows(topic: judge.topic(of: request))
        },
        JudgeRule(400, "TopicDisallowed", .assumed, "mdm topics require a certificate") {
            request, judge in
            guard judge.certificate == nil else { return false }
            if request.has(.pushType, RequestBytes.mdm) { return true }
            return !judge.hasKnownTopic(request)
                && request.topic.starts(with: BundleIdentifier.managementPrefix)
        },
        JudgeRule(400, "TopicDisallowed", .assumed, "location pushes require a provider token") {
            request, judge in
            judge.certificate != nil && request.has(.pushType, RequestBytes.location)
        },
        JudgeRule(400, "InvalidPushType", .documented, "unknown push type") { request, judge in
            judge.pushType = PushTypeTable.type(of: request)
            return judge.pushType == nil && request.present.contains(.pushType)
        },
        JudgeRule(400, "InvalidPushType", .assumed, "apns-topic is for another push type") {
            request, judge in
            guard let type = judge.pushType else { return false }
            return !judge.suits(type, request)
        },
        JudgeRule(400, "BadMessageId", .documented, "apns-id is not a UUID") { request, _ in
            request.present.contains(.identifier) && !RequestBytes.isUUID(request.identifier)
        },
        JudgeRule(400, "BadExpirationDate", .documented, "apns-expiration is not a time") {
            request, _ in
            request.present.contains(.expiration) && !RequestBytes.isSeconds(request.expiration)
        },
        JudgeRule(400, "BadPriority", .documented, "apns-priority is not 10, 5 or 1") {
            request, _ in
            request.present.contains(.priority) && !request.hasPriority
        },
        JudgeRule(400, "BadPriority", .documented, "a background push must have priority 5") {
            request, judge in
            judge.pushType == .background && !request.has(.priority, RequestBytes.five)
        },
        JudgeRule(400, "BadCollapseId", .documented, "apns-collapse-id is over 64 bytes") {
            request, _ in request.length(of: .collapseID) > 64
        },
    ]

    private static let bodyRules = [
        JudgeRule(400, "MissingDeviceToken", .documented, "the path has no token") {
            request, _ in request.length(of: .path) <= PushRequest.devicePath.count
        },
        JudgeRule(
            400, "BadDeviceToken", .assumed, "the token is not at least 64 hexadecimal digits"
        ) {
            request, _ in !RequestBytes.isDeviceToken(request.deviceToken)
        },
        JudgeRule(400, "PayloadEmpty", .documented, "the payload is missing") { request, _ in
            request.body.isEmpty && !request.bodyWasTooLong
        },
        JudgeRule(413, "PayloadTooLarge", .documented, "over 4096 bytes, or 5120 for voip") {
            request, judge in
            request.bodyWasTooLong
                || request.body.count > judge.payloadType(of: request).payloadLimit
        },
        JudgeRule(400, "PayloadEmpty", .assumed, "the payload is not a JSON object") {
            request, judge in !judge.payload.isObject(request.body)
        },
        JudgeRule(400, "BadPriority", .documented, "only content-available, but priority is not 5")
        {
            request, judge in
            // With a push type, the rules of that type apply.
            !request.present.contains(.pushType) && !request.has(.priority, RequestBytes.five)
                && !request.has(.priority, RequestBytes.one)
                && judge.payload.isOnlyContentAvailable(request.body)
        },
    ]
}
