internal import Spelling

extension PlanBuilder {
    /// Compiles `broadcast`: the channel. What only devices have is not valid next to it.
    mutating func compile(broadcast member: MappingMember, of fields: [FieldName: MappingMember]) {
        block.isBroadcast = true
        compileChannel(of: member)
        for name in [FieldName.deviceToken, .deviceTokens] {
            guard let token = fields[name] else { continue }
            error(
                token.keyLocation, "'\(token.key)' and 'broadcast' are mutually exclusive",
                "remove one of them: a broadcast goes to all devices that subscribe to its channel")
        }
        if let collapseID = fields[.collapseID] {
            error(
                collapseID.keyLocation, "'collapse_id' is not valid with 'broadcast'",
                "remove it: the timestamp orders the updates of a Live Activity")
        }
        if let payload = fields[.payload] { refuseStart(in: payload.value) }
    }

    private mutating func compileChannel(of member: MappingMember) {
        guard case .map(let members, let location) = member.value else {
            return error(
                member.value.location, "'broadcast' must be a map", FieldName.broadcast.remedy)
        }
        var isMisspelled = false
        for other in members where other.key != "channel" {
            let near = Suggestion.nearest(to: other.key, among: ["channel"])
            isMisspelled = isMisspelled || near != nil
            error(
                other.keyLocation, "unknown key '\(other.key)' in broadcast",
                near.map { "did you mean '\($0)'?" } ?? "the only key is channel")
        }
        guard let channel = members.last(where: { $0.key == "channel" }) else {
            guard !isMisspelled else { return }
            return error(location, "'channel' is missing in broadcast", FieldName.broadcast.remedy)
        }
        block.locations["broadcast.channel"] = channel.keyLocation
        let why = "without a channel there is nothing to send"
        block.fields.channel = field(channel, refusesOptional: why) { text, _ in
            FieldCheck.fault(channelID: Array(text.utf8))?.message
        }
        guard let elementName, block.fields.channel >= 0, !usesElement(block.fields.channel)
        else { return }
        error(
            channel.value.location,
            "'channel' is the same for each '\(elementName)': all but the first are duplicates",
            "write channel: ${\(elementName).channel}, or remove 'for_each': one broadcast is"
                + " enough for all devices")
    }

    /// Refuses the payload of a broadcast that starts an activity, whatever the event contains.
    private mutating func refuseStart(in payload: MappingSource) {
        guard startsActivity(payload), let event = payload.member("aps")?.member("event") else {
            return
        }
        refuseStart("start", at: event.location)
    }

    /// True for a payload that starts an activity, whatever the event contains.
    func startsActivity(_ payload: MappingSource) -> Bool {
        let event = payload.member("aps")?.member("event")
        return event.flatMap { ScalarSource($0)?.text } == "start"
    }

    /// Refuses a broadcast that starts an activity.
    mutating func refuseStart(_ event: String, at location: MappingLocation) {
        guard block.isBroadcast, event == "start" else { return }
        error(
            location, Mapper.broadcastRule,
            "write event: update or end; to start one, write device_token: with the"
                + " push-to-start token of a device")
    }
}

extension MappingSource {
    /// The member of a map; nil for anything else.
    fileprivate func member(_ name: String) -> MappingSource? {
        guard case .map(let members, _) = self else { return nil }
        return members.last { $0.key == name }?.value
    }
}
