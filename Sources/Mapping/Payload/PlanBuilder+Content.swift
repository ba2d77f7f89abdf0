internal import Delivery

extension PlanBuilder {
    /// Compiles what a block sends: `payload`, or `live_activity`.
    mutating func compileContent(
        of fields: [FieldName: MappingMember], _ policy: Policy, at location: MappingLocation
    ) {
        switch (fields[.payload], fields[.liveActivity]) {
        case (_?, let activity?):
            error(
                activity.keyLocation, "'payload' and 'live_activity' are mutually exclusive",
                "remove 'payload': the bridge builds it from 'live_activity'")
        case (let payload?, nil):
            compile(payload: payload.value, allowsUnknown: policy.allowsUnknownKeys)
            compile(truncated: policy.truncated, in: payload.value)
            refuseLargePayload(payload, policy)
        case (nil, let activity?):
            guard
                let payload = compile(
                    liveActivity: activity, allowsUnknown: policy.allowsUnknownKeys)
            else { return }
            compile(truncated: policy.truncated, in: payload)
            refuseLargePayload(activity, policy)
        case (nil, nil):
            error(
                location, "'payload' is missing",
                block.fields.fixedPushType == .liveactivity
                    ? "write live_activity: {event: update, content_state: {status: \"${status}\"}}"
                    : "write payload: {aps: {alert: {title: \"…\"}}}")
        }
    }

    /// Only pushes of one type are about Live Activities.
    mutating func requireActivity(_ pushType: MappingMember?, with name: FieldName) {
        guard let pushType, block.fields.fixedPushType != .liveactivity else { return }
        block.fields.fixedPushType = .liveactivity
        error(
            pushType.value.location, "'push_type' must be liveactivity with '\(name.rawValue)'",
            name == .broadcast
                ? "remove 'push_type': only Live Activities can be broadcast"
                : "remove 'push_type', or write 'payload' instead of 'live_activity'")
    }

    /// What to do about a payload that is too large.
    static func remedy(forLargePayload block: BlockPlan) -> String {
        block.isLiveActivity
            ? "shorten 'content_state' or what else is long, or cut the body of an alert with"
                + " policy: {payload_too_large: truncate, truncate: aps.alert.body}"
            : "shorten it, or write policy: {payload_too_large: truncate, truncate: PATH}"
    }

    /// Refuses a payload that is too large whatever the event contains.
    private mutating func refuseLargePayload(_ member: MappingMember, _ policy: Policy) {
        guard let type = block.fields.fixedPushType, policy.truncated == nil else { return }
        let count = plan.steps[block.payload.range].reduce(0) { sum, step in
            if case .raw(let piece) = step { sum + Int(piece.end - piece.start) } else { sum }
        }
        let destination: Destination.Kind = block.isBroadcast ? .channel : .device
        let limit = destination.payloadLimit(for: type)
        guard count > limit else { return }
        error(
            member.keyLocation,
            "'\(member.key)' has \(count) bytes without its templates; the limit is"
                + " \(limit)",
            Self.remedy(forLargePayload: block))
    }
}
