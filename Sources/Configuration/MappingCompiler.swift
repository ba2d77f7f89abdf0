internal import Mapping
internal import TLS
internal import YAML

/// Passes notification blocks to `Mapping`, and reports its problems.
struct MappingCompiler {
    let resolver: ReferenceResolver
    let findings: Findings

    /// Compiles the plan; nil when there is an error in it, or in a reference it needs.
    func compile(_ settings: [String: Setting], defaults: MappingDefaults) -> MappingPlan? {
        var defaults = defaults
        if !defaults.apps.isEmpty {
            defaults.app = settings["apns.app"].map { source($0.node, use: .template) }
        }
        defaults.labels = settings["results.labels"].map { shown.source($0.node, use: .template) }
        let result = MappingPlan.compile(
            notification: settings["notification"].map { block($0.node) },
            notifications: settings["notifications"].map { setting in
                member(setting, blocks(setting.node))
            },
            match: settings["match"].map { member($0, source($0.node, use: .template)) },
            policy: settings["policy"].map { member($0, source($0.node, use: .template)) },
            when: settings["when"].map { source($0.node, use: .pattern) },
            format: settings["source.format"].map { source($0.node, use: .template) },
            keyFormat: settings["source.key_format"].map { source($0.node, use: .template) },
            event: settings["source.event"].map { source($0.node, use: .template) },
            defaults: defaults, hash: { SHA256.hash($0) })
        for problem in result.problems { report(problem) }
        return result.plan
    }

    /// Replaces the `when` of a plan; nil when there is an error in the pattern.
    func replaceCondition(of plan: MappingPlan, by pattern: YAMLNode) -> MappingPlan? {
        let result = plan.replacing(when: source(pattern, use: .pattern))
        for problem in result.problems { report(problem) }
        return result.plan
    }

    /// Compiles texts of which nothing depends but what is shown: when a connector is inspected,
    /// references in them stand for themselves.
    private var shown: MappingCompiler {
        var resolver = resolver
        resolver.hidesValues = resolver.mode.isInspecting
        return MappingCompiler(resolver: resolver, findings: findings)
    }

    private func member(_ setting: Setting, _ value: MappingSource) -> MappingMember {
        MappingMember(
            key: setting.key.text ?? "", keyLocation: MappingLocation(setting.key.location),
            value: value)
    }

    private func blocks(_ list: YAMLNode) -> MappingSource {
        .list((list.elements ?? []).map(block), location: MappingLocation(list.location))
    }

    /// A notification block: its conditions contain patterns, everything else templates.
    private func block(_ block: YAMLNode) -> MappingSource {
        map(block) { key, value in
            switch key {
            case "when": source(value, use: .pattern)
            case "for_each": self.block(value)
            case "payload", "collapse_id": shown.source(value, use: .template)
            case "live_activity": activity(value)
            default: source(value, use: .template)
            }
        }
    }

    /// A `live_activity`: all but its contents is read as words, times and durations.
    private func activity(_ node: YAMLNode) -> MappingSource {
        map(node) { key, value in
            switch key {
            case "content_state", "attributes", "alert": shown.source(value, use: .template)
            default: source(value, use: .template)
            }
        }
    }

    /// A map whose values depend on their keys; what is not a map contains templates.
    private func map(
        _ node: YAMLNode, _ value: (String, YAMLNode) -> MappingSource
    ) -> MappingSource {
        guard let entries = node.entries else { return source(node, use: .template) }
        let members = entries.compactMap { key, node in
            key.text.map { text in
                MappingMember(
                    key: text, keyLocation: MappingLocation(key.location),
                    value: value(text, node))
            }
        }
        return .map(members, location: MappingLocation(node.location))
    }

    /// A node in the form `Mapping` uses, with `${env:}` and `${file:}` resolved.
    private func source(_ node: YAMLNode, use: ReferenceResolver.Use) -> MappingSource {
        switch node.kind {
        case .sequence(let elements):
            return .list(
                elements.map { source($0, use: use) }, location: MappingLocation(node.location))
        case .mapping: return map(node) { source($1, use: use) }
        case .scalar(_, let style): return scalar(node, style, use: use)
        }
    }

    private func scalar(
        _ node: YAMLNode, _ style: YAMLNode.Style, use: ReferenceResolver.Use
    ) -> MappingSource {
        let location = MappingLocation(node.location)
        guard case .text(let text, let isReplaced) = resolver.resolve(node, use: use) else {
            return .scalar(text: "${unset}", style: .quoted, location: location)
        }
        let isPlain = style == .plain && !isReplaced
        return .scalar(
            text: text, style: isPlain ? .plain : .quoted, location: location,
            end: isReplaced ? nil : MappingLocation(node.endLocation),
            written: isReplaced ? node.text : nil)
    }

    private func report(_ problem: MappingProblem) {
        guard !findings.isFull || !problem.isWarning && !findings.hasErrors else { return }
        findings.add(
            problem.isWarning ? .warning : .error,
            at: SourceLocation(line: problem.location.line, column: problem.location.column),
            length: findings.length(
                of: problem.message,
                at: SourceLocation(line: problem.location.line, column: problem.location.column)),
            problem.message, problem.remedy)
    }
}

extension MappingLocation {
    fileprivate init(_ location: SourceLocation) {
        self.init(line: location.line, column: location.column)
    }
}
