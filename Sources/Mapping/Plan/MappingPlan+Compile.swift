extension MappingPlan {
    /// Compiles a connector's notifications and `when`, and lists every problem in them.
    ///
    /// There is one `notification`, or a list of `notifications` with `match` next to it. Without
    /// either, events are canonical: they contain the fields at their top level, and `policy`
    /// replaces that of the blocks. `format` is the value of `source.format`; nil means `json`.
    /// `keyFormat` is that of `source.key_format`; nil means text. `event` is the value of
    /// `source.event`; nil means all of a record's value. A collapse ID that is too long is hashed
    /// with `hash`, to 32 bytes at most. There is a plan exactly when every problem is a warning.
    public static func compile(
        notification: MappingSource?, notifications: MappingMember? = nil,
        match: MappingMember? = nil, policy: MappingMember? = nil, when: MappingSource?,
        format: MappingSource? = nil, keyFormat: MappingSource? = nil,
        event: MappingSource? = nil, defaults: MappingDefaults, hash: @escaping HashFunction
    ) -> (plan: MappingPlan?, problems: [MappingProblem]) {
        var builder = PlanBuilder(plan: MappingPlan(hash: hash))
        builder.plan.fileName = defaults.fileName
        builder.plan.environment = defaults.environment
        builder.plan.isStrictUnicode = defaults.isStrictUnicode
        builder.plan.defaultBundleID = Array(defaults.bundleID.utf8)
        builder.shape = defaults.schemas.value.map { EventShape($0) }
        builder.keyShape = defaults.schemas.key.map { EventShape($0) }
        if let format { builder.compile(format: format) }
        if let keyFormat { builder.compile(keyFormat: keyFormat) }
        if let event { builder.compile(event: event) }
        if let example = defaults.example { builder.readPaths(ofExample: example) }
        builder.plan.allowedBundleIDs = AllowedBundleIDs(defaults.allowedBundleIDs ?? [])
        builder.saysWhichBundleIDs = defaults.allowedBundleIDs != nil
        builder.add(apps: defaults.apps)
        builder.outside.app = defaults.app
        builder.outside.labels = defaults.labels
        if let when { builder.compile(when: when) }
        builder.plan.conditions = LoneCondition.all(in: when)
        builder.plan.blockConditions = LoneCondition.ofBlocks(in: notifications?.value)
        builder.plan.elementConditions = LoneCondition.ofElements(
            in: notifications?.value, or: notification)
        if let match { builder.compile(match: match, isUsed: notifications != nil) }
        if let notification { builder.compile(notification: notification) }
        if let notifications {
            if notification != nil {
                builder.error(
                    notifications.keyLocation,
                    "'notification' and 'notifications' are mutually exclusive",
                    "put them all in 'notifications', as a list")
            }
            builder.compile(notifications: notifications.value)
        }
        if notification == nil, notifications == nil {
            builder.checkCanonicalShape(at: format?.location ?? event?.location)
            builder.compileCanonicalEvent(policy)
        } else if let policy {
            builder.error(
                policy.keyLocation, "'policy' belongs in the notification blocks",
                "move it into 'notification'; at the top level it is for canonical events")
        }
        if builder.plan.blocks.isEmpty { builder.compileOutside() }
        builder.endElements()
        builder.findShared()
        let problems = builder.problems.sorted {
            ($0.location.line, $0.location.column) < ($1.location.line, $1.location.column)
        }
        return (problems.contains { !$0.isWarning } ? nil : builder.plan, problems)
    }
}

extension MappingPlan {
    /// A plan that reads the same events and whose `when` is another pattern: see
    /// ``Mapper/matches(_:)``.
    public func replacing(
        when pattern: MappingSource
    ) -> (plan: MappingPlan?, problems: [MappingProblem]) {
        var builder = PlanBuilder(plan: self)
        builder.isConnectorCondition = true
        builder.plan.pattern = builder.pattern(pattern)
        builder.plan.examinesValue = builder.examinesValue
        return (builder.problems.contains { !$0.isWarning } ? nil : builder.plan, builder.problems)
    }
}

extension PlanBuilder {
    /// Compiles the connector's own condition.
    fileprivate mutating func compile(when: MappingSource) {
        isConnectorCondition = true
        plan.pattern = pattern(when)
        isConnectorCondition = false
        plan.examinesValue = examinesValue
        narrowShape(by: when)
        // It holds for all blocks.
        shapeOfAllEvents = nil
    }

    /// Reads `source.format`.
    mutating func compile(format: MappingSource) {
        let name = ScalarSource(format)?.text ?? ""
        switch name {
        // The JSON text of such a value is what its decoder writes.
        case "json": return
        case "avro": plan.encoding = .avro
        case "protobuf": plan.encoding = .protobuf
        case "cloudevents":
            plan.format = .cloudEvents
            prepareCloudEvents()
        default:
            error(
                format.location, "unknown format '\(name)'",
                "write json, cloudevents, avro or protobuf")
        }
    }

    /// Reads `source.key_format`.
    mutating func compile(keyFormat: MappingSource) {
        plan.keyFormat = ScalarSource(keyFormat).flatMap { KeyFormat(rawValue: $0.text) }
        guard plan.format != .cloudEvents else {
            return error(
                keyFormat.location, "'key_format' is not valid with CloudEvents",
                "remove it: their keys are text")
        }
        if plan.keyFormat == nil {
            error(keyFormat.location, "unknown format of keys", "write json, avro or protobuf")
        }
    }

    /// Creates a plan for events that contain the fields themselves.
    mutating func compileCanonicalEvent(_ written: MappingMember?) {
        let policy = policy(written)
        block.fields.hashesCollapseID = policy.hashesCollapseID
        if let written { refuseUnknownKeys(in: written) }
        block.fields.deviceToken = canonical("device_token", isOptional: false)
        block.fields.tokenArray = canonical("device_tokens")
        block.fields.channel = canonical("channel_id")
        block.fields.pushType = canonical("push_type")
        block.fields.priority = canonical("priority")
        block.fields.collapseID = canonical("collapse_id")
        block.fields.expiration = canonical("expiration")
        block.fields.timeToLive = canonical("ttl")
        block.fields.eventTime = canonical("event_time", others: cloudEventTimes)
        block.fields.bundleID = canonical("bundle_id")
        block.fields.isBundleIDOfEvent = true
        block.fields.ownID = canonical("apns_id")
        block.fields.environment = canonical("environment")
        let payload = canonical("payload", isOptional: false)
        block.payload = add([.value(template: payload, .object)])
        block.checksMembers = true
        block.locations["policy"] = written?.keyLocation
        if let steps = policy.truncated { block.truncated = path(steps) }
        endBlock()
    }

    /// A payload that is passed through may contain keys unknown to Apple.
    private mutating func refuseUnknownKeys(in policy: MappingMember) {
        guard case .map(let members, _) = policy.value,
            let member = members.last(where: { $0.key == "unknown_aps_keys" })
        else { return }
        error(
            member.keyLocation, "'unknown_aps_keys' does not apply to canonical events",
            "remove it: their payloads may contain any keys")
    }

    private mutating func canonical(
        _ name: String, isOptional: Bool = true, others: [Template.Path] = []
    ) -> Int32 {
        unwritten(
            [Template.Path(root: .event, steps: [.member(name)])] + others,
            isOptional: isOptional, name: "'\(name)'")
    }

    /// The time of a CloudEvent, used if no other is written; none for other events, which have the
    /// record's time.
    private var cloudEventTimes: [Template.Path] {
        plan.format == .cloudEvents
            ? [Template.Path(root: .attribute("time")), Template.Path(root: .timestamp)] : []
    }

    /// Fills `event_time` if the connector does not.
    mutating func addStandardEventTime() {
        guard block.fields.eventTime < 0, !cloudEventTimes.isEmpty else { return }
        block.fields.eventTime = unwritten(cloudEventTimes, isOptional: true, name: "${@ce.time}")
    }

    /// A template that is not in the file.
    private mutating func unwritten(
        _ paths: [Template.Path], isOptional: Bool, name: String
    ) -> Int32 {
        let hole = Template.Hole(
            operands: paths.map { .path($0) }, isOptional: isOptional, written: name)
        let nowhere = MappingSource.scalar(
            text: "", style: .quoted, location: MappingLocation(line: 1, column: 1))
        guard let scalar = ScalarSource(nowhere) else { return -1 }
        return add(
            Template(parts: [.hole(hole)]), from: scalar, use: TemplateUse(hasLocation: false))
    }
}
