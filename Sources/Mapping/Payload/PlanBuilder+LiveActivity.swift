internal import Delivery
internal import Spelling

extension PlanBuilder {
    /// Compiles `live_activity` to the payload that Apple defines for it, and returns that as it
    /// would be written; nil if it is not a map.
    mutating func compile(
        liveActivity member: MappingMember, allowsUnknown: Bool
    ) -> MappingSource? {
        guard case .map(let written, _) = member.value else {
            error(
                member.value.location, "'live_activity' must be a map",
                "write live_activity: {event: update, content_state: {status: \"${status}\"}}")
            return nil
        }
        block.isLiveActivity = true
        let (members, misspelled) = activityMembers(written)
        refuseExclusive(members)
        let events = possibleEvents(members[.event])
        for key in ActivityKey.allCases where key.events.isDisjoint(with: events) {
            guard let member = members[key] else { continue }
            error(
                member.keyLocation,
                "'\(key.rawValue)' is only valid with event: \(key.events.message)",
                block.isBroadcast && key.events == .start
                    ? "remove it: \(Mapper.broadcastRule)"
                    : "remove it, or write event: \(key.events.message)")
        }
        var compiler = PayloadCompiler(self, allowsUnknown: allowsUnknown)
        self = compiler.compile(activity: members, events: events)
        let meant = members.merging(misspelled) { member, _ in member }
        let payload = Self.payload(of: meant, in: member.value.location)
        checkNeeds(of: payload, at: member.keyLocation)
        return payload
    }

    /// Sorts the members; those that are nearly such keys count as present, but are not compiled.
    private mutating func activityMembers(
        _ written: [MappingMember]
    ) -> (known: [ActivityKey: MappingMember], misspelled: [ActivityKey: MappingMember]) {
        var members: [ActivityKey: MappingMember] = [:]
        var misspelled: [ActivityKey: MappingMember] = [:]
        let names = ActivityKey.allCases.map(\.rawValue)
        for member in written where !isFull {
            if let key = ActivityKey(rawValue: member.key) {
                members[key] = member
                block.locations[key.path] = member.keyLocation
                continue
            }
            let near = Suggestion.nearest(to: member.key, among: names)
            if let key = near.flatMap(ActivityKey.init(rawValue:)) { misspelled[key] = member }
            error(
                member.keyLocation, "unknown key '\(member.key)' in live_activity",
                near.map { "did you mean '\($0)'?" } ?? "keys are \(names.joined(separator: ", "))")
        }
        return (members, misspelled)
    }

    private mutating func refuseExclusive(_ members: [ActivityKey: MappingMember]) {
        let pairs: [(ActivityKey, ActivityKey)] = [
            (.staleDate, .staleAfter), (.inputPushToken, .inputPushChannel),
        ]
        for (one, other) in pairs {
            guard members[one] != nil, let second = members[other] else { continue }
            error(
                second.keyLocation,
                "'\(one.rawValue)' and '\(other.rawValue)' are mutually exclusive",
                "remove one of them")
        }
    }

    /// The event that is written; all of them if the record determines it.
    private mutating func possibleEvents(_ event: MappingMember?) -> ActivityEvents {
        let possible: ActivityEvents = block.isBroadcast ? [.update, .end] : .all
        guard let event, let text = ScalarSource(event.value)?.text else { return possible }
        refuseStart(text, at: event.value.location)
        let written = ActivityEvents(name: Array(text.utf8)[...])
        return written.isEmpty ? possible : written
    }

    /// The payload as it would be written with `payload`.
    private static func payload(
        of members: [ActivityKey: MappingMember], in location: MappingLocation
    ) -> MappingSource {
        var inside = ActivityKey.allCases.compactMap { key in
            members[key].map { member in
                MappingMember(
                    key: key.member, keyLocation: member.keyLocation, value: member.value)
            }
        }
        inside.removeAll { $0.key == ActivityKey.timestamp.member }
        // The bridge always writes it.
        let time = MappingSource.scalar(text: "1", style: .plain, location: location)
        inside.append(
            MappingMember(
                key: ActivityKey.timestamp.member, keyLocation: location, value: time))
        let aps = MappingMember(
            key: "aps", keyLocation: location, value: .map(inside, location: location))
        return .map([aps], location: location)
    }

    /// Refuses what lacks a key that its event needs, and notes what depends on the record.
    private mutating func checkNeeds(of payload: MappingSource, at location: MappingLocation) {
        block.checksPayload = false
        for rule in PayloadRule.rules(for: .liveactivity) {
            guard let name = rule.paths[0].last, let key = ActivityKey(member: name),
                !block.isBroadcast || rule.events != ["start"], rule.kind != .exclusive
            else { continue }
            switch rule.verdict(on: payload, hasPriority: true) {
            case .kept: break
            case .open: block.checksPayload = true
            case .broken:
                let events = rule.events.joined(separator: " or ")
                let reason = events.isEmpty ? "" : ": it is needed to \(events) an activity"
                let isWritten = block.locations[key.path] != nil
                error(
                    isWritten ? block.locations[key.path] ?? location : location,
                    "'\(key.rawValue)' \(isWritten ? "displays nothing" : "is missing")\(reason)",
                    key.remedy(ofBroadcast: block.isBroadcast))
            }
        }
    }
}
