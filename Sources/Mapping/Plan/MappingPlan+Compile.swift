extension MappingPlan {
    /// Compiles a connector's `notification` and `when`, and lists every mistake in them.
    ///
    /// Without a notification block events are canonical: they carry the block's fields at
    /// their top level. `format` is the value of `source.format`; nil means `json`. There is a
    /// plan exactly when every problem is a warning.
    public static func compile(
        notification: MappingSource?, when: MappingSource?, format: MappingSource? = nil,
        defaults: MappingDefaults
    ) -> (plan: MappingPlan?, problems: [MappingProblem]) {
        var builder = PlanBuilder()
        builder.plan.fileName = defaults.fileName
        builder.plan.environment = defaults.environment
        builder.plan.fields.defaultBundleID = Array(defaults.bundleID.utf8)
        if let format { builder.check(format: format) }
        if let notification {
            builder.compile(notification: notification)
        } else {
            builder.compileCanonicalEvent()
        }
        if let when { builder.compile(when: when) }
        let problems = builder.problems.sorted {
            ($0.place.line, $0.place.column) < ($1.place.line, $1.place.column)
        }
        return (problems.contains { !$0.isWarning } ? nil : builder.plan, problems)
    }
}

extension PlanBuilder {
    /// Refuses every format of events but JSON.
    mutating func check(format: MappingSource) {
        let name = ScalarSource(format)?.text ?? ""
        switch name {
        case "json": return
        case "cloudevents", "avro", "protobuf":
            error(format.place, "the format '\(name)' is not there yet", "write json")
        default:
            error(format.place, "unknown format '\(name)'", "write json")
        }
    }

    /// Makes a plan for events that carry the fields themselves.
    mutating func compileCanonicalEvent() {
        plan.fields.deviceToken = canonical("device_token", isOptional: false)
        plan.fields.tokenArray = canonical("device_tokens")
        plan.fields.pushType = canonical("push_type")
        plan.fields.priority = canonical("priority")
        plan.fields.collapseID = canonical("collapse_id")
        plan.fields.expiration = canonical("expiration")
        plan.fields.timeToLive = canonical("ttl")
        plan.fields.eventTime = canonical("event_time")
        plan.fields.bundleID = canonical("bundle_id")
        plan.fields.ownID = canonical("apns_id")
        plan.fields.environment = canonical("environment")
        let payload = canonical("payload", isOptional: false)
        plan.payload = [.value(template: payload, .object)]
    }

    private mutating func canonical(_ name: String, isOptional: Bool = true) -> Int32 {
        let hole = Template.Hole(
            operands: [.path(Template.Path(root: .event, steps: [.member(name)]))],
            isOptional: isOptional, written: "'\(name)'")
        let nowhere = MappingSource.scalar(
            text: "", style: .quoted, place: MappingPlace(line: 1, column: 1))
        guard let scalar = ScalarSource(nowhere) else { return -1 }
        return add(
            Template(parts: [.hole(hole)]), from: scalar, use: TemplateUse(hasPlace: false))
    }
}
