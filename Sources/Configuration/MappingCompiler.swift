internal import Mapping
internal import YAML

/// Hands `notification` and `when` to `Mapping`, and its findings back.
struct MappingCompiler {
    let resolver: ReferenceResolver
    let findings: Findings

    /// Compiles the plan; nil when there is a mistake in it, or in a reference it needs.
    func compile(
        notification: YAMLNode?, when: YAMLNode?, defaults: MappingDefaults
    ) -> MappingPlan? {
        let notification = notification.map { source($0, use: .template) }
        let when = when.map { source($0, use: .pattern) }
        let result = MappingPlan.compile(
            notification: notification, when: when, defaults: defaults)
        for problem in result.problems { report(problem) }
        return result.plan
    }

    /// A node as `Mapping` takes it, with `${env:}` and `${file:}` resolved.
    private func source(_ node: YAMLNode, use: ReferenceResolver.Use) -> MappingSource {
        switch node.kind {
        case .sequence(let elements):
            return .list(elements.map { source($0, use: use) }, place: MappingPlace(node.place))
        case .mapping(let entries):
            let members = entries.compactMap { key, value in
                key.text.map { text in
                    MappingMember(
                        key: text, keyPlace: MappingPlace(key.place),
                        value: source(value, use: use))
                }
            }
            return .map(members, place: MappingPlace(node.place))
        case .scalar(_, let style):
            return scalar(node, style, use: use)
        }
    }

    private func scalar(
        _ node: YAMLNode, _ style: YAMLNode.Style, use: ReferenceResolver.Use
    ) -> MappingSource {
        let place = MappingPlace(node.place)
        guard case .text(let text, let isReplaced) = resolver.resolve(node, use: use) else {
            return .scalar(text: "${unset}", style: .quoted, place: place)
        }
        let isPlain = style == .plain && !isReplaced
        return .scalar(
            text: text, style: isPlain ? .plain : .quoted, place: place,
            end: isReplaced ? nil : MappingPlace(node.endPlace))
    }

    private func report(_ problem: MappingProblem) {
        findings.add(
            problem.isWarning ? .warning : .error,
            at: SourcePlace(line: problem.place.line, column: problem.place.column),
            length: findings.length(
                of: problem.message,
                at: SourcePlace(line: problem.place.line, column: problem.place.column)),
            problem.message, problem.remedy)
    }
}

extension MappingPlace {
    fileprivate init(_ place: SourcePlace) {
        self.init(line: place.line, column: place.column)
    }
}
