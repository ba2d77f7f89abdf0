extension Judge {
    /// Every rule for requests that manage channels, in order.
    public static let channelRules: [JudgeRule] =
        [
            JudgeRule(
                405, "MethodNotAllowed", .documented,
                "a channel allows POST, GET and DELETE; the list of channels allows GET"
            ) { request, _ in
                switch request.kind {
                case .channelList: !request.has(.method, RequestBytes.get)
                default:
                    ![RequestBytes.post, RequestBytes.get, RequestBytes.delete].contains {
                        request.has(.method, $0)
                    }
                }
            }
        ] + sharedChannelRules + namedChannelRules + orderRules

    /// The rules for requests that create a channel.
    private static let orderRules = [
        JudgeRule(400, "BadRequestPayload", .documented, "the body is not a JSON object") {
            request, judge in
            guard judge.makesChannel else { return false }
            judge.order = ChannelOrder(request.body)
            return judge.order == nil
        },
        JudgeRule(400, "MissingPushType", .documented, "push-type is missing") { _, judge in
            judge.makesChannel && judge.order?.pushType == nil
        },
        JudgeRule(400, "InvalidPushType", .documented, "push-type is not LiveActivity") {
            _, judge in
            judge.makesChannel && judge.order?.pushType != ChannelOrder.liveActivity
        },
        JudgeRule(
            400, "BadRequestParams", .documented,
            "the body has a member besides push-type and message-storage-policy"
        ) { _, judge in judge.makesChannel && judge.order?.hasUnknownMember == true },
        JudgeRule(400, "BadRequestParams", .assumed, "message-storage-policy is not 0 or 1") {
            _, judge in
            guard judge.makesChannel else { return false }
            return judge.order?.storagePolicy.map { (0...1).contains($0) } != true
        },
        JudgeRule(
            400, "CannotCreateChannelConfig", .documented, "the app already has 10,000 channels"
        ) { request, judge in
            judge.makesChannel
                && !judge.channels.hasRoom(for: String(decoding: request.pathApp, as: UTF8.self))
        },
    ]

    private static let channelConditions = channelRules.map(\.condition)
    private static let broadcastConditions = broadcastRules.map(\.condition)

    /// The response to a request about broadcasts received at `wallClock`.
    mutating func judgeBroadcast(
        _ request: borrowing PushRequest, wallClock: Int64
    ) -> Judgement {
        self.wallClock = wallClock
        makesChannel = request.kind == .channel && request.has(.method, RequestBytes.post)
        namesChannel =
            request.kind == .broadcast || (request.kind == .channel && !makesChannel)
        channel = nil
        order = nil
        let isBroadcast = request.kind == .broadcast
        let conditions = isBroadcast ? Self.broadcastConditions : Self.channelConditions
        for index in conditions.indices where conditions[index].holds(for: request, &self) {
            let rule = isBroadcast ? Self.broadcastRules[index] : Self.channelRules[index]
            return Judgement(status: rule.status, reason: rule.reason)
        }
        return .accepted
    }
}
