/// A single condition of a `when`, extracted so that it can be evaluated on its own.
///
/// Only explanations use it: records are matched by the whole pattern.
struct LoneCondition: Sendable {
    /// The names leading to it, outermost first.
    var path: [String]
    var location: MappingLocation
    /// A `when` with only this condition.
    var pattern: MappingSource
    /// What it requires, nearly as written in the file.
    var wanted: String

    /// True when it examines the record's whole value.
    var isOfValue: Bool { path.count > 1 && path[0] == "@value" }

    /// Every condition of a `when`, in the order of the file; empty if it is not a pattern.
    static func all(in source: MappingSource?) -> [LoneCondition] {
        guard case .map(let members, let location)? = source else { return [] }
        return members.filter { !$0.isAboutTombstones }.flatMap { member -> [LoneCondition] in
            let inner = all(in: member.value)
            guard member.key != "$or", !inner.isEmpty else {
                let alone = MappingSource.map([member], location: location)
                return [
                    LoneCondition(
                        path: [member.key], location: member.keyLocation, pattern: alone,
                        wanted: text(of: member.value))
                ]
            }
            return inner.map { condition in
                var condition = condition
                condition.path.insert(member.key, at: 0)
                condition.pattern = .map(
                    [
                        MappingMember(
                            key: member.key, keyLocation: member.keyLocation,
                            value: condition.pattern)
                    ], location: location)
                return condition
            }
        }
    }

    /// The conditions of each block of `notifications`.
    static func ofBlocks(in source: MappingSource?) -> [[LoneCondition]] {
        guard case .list(let blocks, _)? = source else { return [] }
        return blocks.map { block in
            guard case .map(let members, _) = block else { return [] }
            return all(in: members.first { $0.key == "when" }?.value)
        }
    }

    /// The conditions of each block on the elements of its list.
    static func ofElements(
        in source: MappingSource?, or notification: MappingSource?
    ) -> [[LoneCondition]] {
        let blocks: [MappingSource]
        if case .list(let elements, _)? = source {
            blocks = elements
        } else {
            blocks = notification.map { [$0] } ?? []
        }
        return blocks.map { block in
            guard case .map(let members, _) = block,
                case .map(let list, _)? = members.first(where: { $0.key == "for_each" })?.value
            else { return [] }
            return all(in: list.first { $0.key == "when" }?.value)
        }
    }

    private static func text(of source: MappingSource) -> String {
        switch source {
        case .list(let elements, _):
            return "[" + elements.map { text(of: $0) }.joined(separator: ", ") + "]"
        case .map(let members, _):
            let parts = members.map { "\($0.key): \(text(of: $0.value))" }
            return "{" + parts.joined(separator: ", ") + "}"
        case .scalar(_, _, _, _, let written?): return "\"\(written)\""
        case .scalar(let text, let style, _, _, nil):
            let isWord = ["true", "false", "null"].contains(text)
            let isBare = style == .plain && (isWord || PlainScalar.isJSONNumber(text))
            return isBare ? text : "\"\(text)\""
        }
    }
}

extension MappingMember {
    /// True for `"@value": [null]`.
    fileprivate var isAboutTombstones: Bool {
        if key == "@value", case .list = value { true } else { false }
    }
}
