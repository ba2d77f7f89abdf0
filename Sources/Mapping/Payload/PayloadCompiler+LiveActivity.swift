/// The payload of a `live_activity`.
extension PayloadCompiler {
    /// Compiles its members and returns the builder with them; `events` are those that it may be.
    ///
    /// What has a meaning for other events only is skipped where the record determines the event.
    mutating func compile(
        activity members: [ActivityKey: MappingMember], events: ActivityEvents
    ) -> PlanBuilder {
        append(text: "{\"aps\":{\"event\":")
        isInAps = true
        if let event = members[.event] { self.event(event.value) }
        append(text: ",\"timestamp\":")
        addStep(.timestamp(template: members[.timestamp].map { time($0, .timestamp) } ?? -1))
        for key in ActivityKey.allCases where !builder.isFull {
            guard let member = members[key], key != .event, key != .timestamp else { continue }
            guard key.events.isStrictSubset(of: events) else {
                append(member, key)
                continue
            }
            append(member, key, onlyFor: key.events)
        }
        append(text: "}}")
        return finish()
    }

    private mutating func event(_ source: MappingSource) {
        if let hole = optionalHole(source) {
            builder.error(
                hole, "'?' is not allowed here: each push needs an event", "remove '?'")
        }
        guard let scalar = ScalarSource(source),
            let parsed = try? TemplateParser.parse(scalar.text), parsed.constantText == nil
        else {
            guard builder.block.isBroadcast, let text = ScalarSource(source)?.text,
                ActivityEvents(name: Array(text.utf8)[...]).isEmpty
            else { return value(source, .activityEvent, .free) }
            return builder.error(
                source.location, "'event' of a broadcast must be update or end, not '\(text)'",
                ActivityKey.event.remedy(ofBroadcast: true))
        }
        addStep(.activityEvent(template: template(source, .activityEvent)))
    }

    /// A member whose templates are not evaluated for other events.
    private mutating func append(
        _ member: MappingMember, _ key: ActivityKey, onlyFor events: ActivityEvents
    ) {
        let firstHole = builder.plan.holes.count
        let gate = addStep(.onlyFor(events, steps: 0))
        append(member, key)
        setStep(gate, .onlyFor(events, steps: stepCount - Int32(gate) - 1))
        for hole in firstHole..<builder.plan.holes.count {
            builder.plan.holes[hole].events = events
        }
    }

    private mutating func append(_ member: MappingMember, _ key: ActivityKey) {
        let name = "\"\(key.member)\":"
        var comma = CommaRule.always
        switch key {
        case .event, .timestamp: return
        case .staleDate, .dismissalDate:
            let template = time(member, key)
            let start = builder.constant(",\(name)")
            addStep(.moment(key, name: start, template: template))
        case .staleAfter:
            let template = builder.field(member) { text, _ in
                TimeText.span(Array(text.utf8)) == nil ? "it must be a positive duration" : nil
            }
            let start = builder.constant(",\(name)")
            addStep(.moment(key, name: start, template: template))
        case .inputPushToken:
            guard ["true", "1"].contains(ScalarSource(member.value)?.text) else {
                return builder.error(
                    member.value.location, "'input_push_token' must be true", key.remedy)
            }
            append(text: ",\(name)1")
        case .contentState, .attributes, .attributesType, .relevanceScore, .inputPushChannel,
            .alert:
            let bytes = Array(name.utf8)
            let context = key == .alert ? PayloadContext.activityAlert : .free
            item(member.value, name: bytes, Self.target(of: key), context, &comma)
        }
    }

    private static func target(of key: ActivityKey) -> PayloadTarget {
        switch key {
        case .contentState, .attributes: .object
        case .relevanceScore: .number
        case .alert: .textOrObject
        case .inputPushChannel: .channel
        case .attributesType: .typeName
        default: .text
        }
    }

    private mutating func time(_ member: MappingMember, _ key: ActivityKey) -> Int32 {
        builder.field(member, wanted: .time) { text, _ in
            TimeText.read(Array(text.utf8)).fault(as: key.timeUse)?.message
        }
    }
}
