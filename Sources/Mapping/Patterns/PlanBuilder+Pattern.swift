internal import JSON
internal import Spelling

extension PlanBuilder {
    /// The most conditions in a pattern after its `$or`s are expanded.
    static var conditionLimit: Int { 1000 }

    /// Compiles a `when`; nil when it is empty.
    mutating func pattern(
        _ source: MappingSource, of scope: PatternScope = .event(isRoot: true)
    ) -> EventPattern? {
        guard case .map(let members, let location) = source else {
            error(
                source.location, "'when' must be a map of names and lists",
                "write when: {type: [order.shipped]}")
            return nil
        }
        check(pattern: members, of: scope)
        if members.isEmpty { error(location, "'when' is empty", "remove it to accept every event") }
        let object = object(members, scope)
        guard let normal = object.normalised(limit: Self.conditionLimit) else {
            error(
                location, "'when' expands to more than \(Self.conditionLimit) conditions",
                "use fewer '$or' branches that test the same member")
            return nil
        }
        return EventPattern(root: plan.patterns.add(normal))
    }

    /// Where the members of a map are looked up.
    enum PatternScope {
        case event(isRoot: Bool)
        /// An element of `for_each`, without the event around it.
        case element
        case headers
        case attributes
    }

    private mutating func object(
        _ members: [MappingMember], _ scope: PatternScope
    ) -> PatternObject {
        var object = PatternObject()
        for member in members {
            if member.key == "@value", scope.isRoot, !member.value.isMap {
                compile(value: member)
            } else if member.key == "$or" {
                if let branches = alternatives(member, scope) {
                    object.alternatives.append(branches)
                }
            } else if let subject = subject(of: member, scope),
                let value = value(of: member, subject)
            {
                object.members.append(.init(subject: subject, value: value))
            }
        }
        return object
    }

    /// Compiles `"@value": [null]`: records without a value are skipped, not dropped.
    private mutating func compile(value member: MappingMember) {
        guard case .list(let elements, _) = member.value, elements.count == 1,
            case .scalar("null", .plain, _, _, _) = elements[0]
        else {
            return error(
                member.value.location, "'@value' must be a map, or [null]",
                "write \"@value\": {op: [c]} for members of the record's whole value, or"
                    + " \"@value\": [null] to filter tombstones")
        }
        guard isConnectorCondition else {
            return error(
                member.keyLocation, "'@value': [null] is only valid in the connector's own 'when'",
                "move it to the top level of the file, outside of '$or'")
        }
        plan.filtersTombstones = true
    }

    private mutating func alternatives(
        _ member: MappingMember, _ scope: PatternScope
    ) -> [PatternObject]? {
        let remedy = "write $or: [{type: [a]}, {kind: [b]}]; for a member named $or, '[\"$or\"]'"
        guard case .list(let elements, let location) = member.value else {
            error(member.value.location, "'$or' must be a list of maps", remedy)
            return nil
        }
        guard elements.count > 1 else {
            error(location, "'$or' needs at least two maps", remedy)
            return nil
        }
        var branches: [PatternObject] = []
        let isWhole = isConnectorCondition
        isConnectorCondition = false
        defer { isConnectorCondition = isWhole }
        for element in elements {
            if case .map(let members, let location) = element {
                if members.isEmpty {
                    error(
                        location, "a branch of '$or' has no conditions",
                        "write {name: [value]}, or remove it")
                }
                branches.append(object(members, scope))
            } else {
                error(element.location, "a branch of '$or' must be a map", "write {name: [value]}")
            }
        }
        return branches
    }

    private mutating func subject(
        of member: MappingMember, _ scope: PatternScope
    ) -> PatternTable.Subject? {
        let location = member.keyLocation
        if let name = Self.quotedName(member.key) { return subject(named: name, scope, location) }
        switch scope {
        case .event(isRoot: true) where member.key.hasPrefix("@"): return metadata(member)
        case .element where member.key.hasPrefix("@"):
            error(
                location, "'when' of 'for_each' sees only the element, not '\(member.key)'",
                "move it to the 'when' of the notification; for a member of the element write "
                    + "'[\"\(member.key)\"]'")
            return nil
        case .event, .element:
            guard member.key.contains(".") else { break }
            warning(
                location, "'\(member.key)' is the name of one member, not a path",
                "for a path, nest the maps; for a member with this name, "
                    + "'[\"\(member.key)\"]'")
        case .headers, .attributes: break
        }
        if member.key.contains("${") {
            error(member.keyLocation, "a name cannot contain templates", "write the name itself")
            return nil
        }
        return subject(named: member.key, scope, location)
    }

    private mutating func subject(
        named name: String, _ scope: PatternScope, _ location: MappingLocation
    ) -> PatternTable.Subject? {
        switch scope {
        case .event, .element: .member(path([.member(name)]))
        case .headers: .header(header(name))
        case .attributes: attribute(name, at: location).map { .attribute($0) }
        }
    }

    /// The name in `["name"]`, which is taken literally.
    static func quotedName(_ key: String) -> String? {
        guard key.hasPrefix("[\""), key.hasSuffix("\"]") else { return nil }
        let text = Array(key.utf8.dropFirst().dropLast())
        var tape = JSONTape()
        do throws(JSONError) { try tape.read(text) } catch { return nil }
        return tape.text(of: 0, in: text)
    }

    private mutating func metadata(_ member: MappingMember) -> PatternTable.Subject? {
        switch member.key {
        case "@topic":
            plan.usesTopic = true
            return .topic
        case "@key":
            plan.usesKey = true
            return .key
        case "@headers": return .headers
        case "@partition": return .partition
        case "@offset": return .offset
        case "@timestamp": return .timestamp
        case "@ce": return .attributes
        case "@value":
            examinesValue = true
            _ = valuePath([])
            return .value
        default:
            let known = [
                "@topic", "@key", "@headers", "@partition", "@offset", "@timestamp", "@ce",
                "@value",
            ]
            let near = Suggestion.nearest(to: member.key, among: known)
            error(
                member.keyLocation, "unknown metadata '\(member.key)' in when",
                (near.map { "did you mean \"\($0)\"?" }
                    ?? "the metadata keys are \(known.joined(separator: ", "))")
                    + " For a member of the event write '[\"\(member.key)\"]'")
            return nil
        }
    }

    private mutating func value(
        of member: MappingMember, _ subject: PatternTable.Subject
    ) -> PatternObject.Value? {
        let location = member.value.location
        switch member.value {
        case .map(let members, _):
            if let written = Self.operatorText(members), !subject.isMap {
                error(
                    location, "'\(member.key)' must be a list", "write [\(written)]")
                return nil
            }
            guard let scope = subject.scope else {
                error(location, "'\(member.key)' must be a list", "write [value]")
                return nil
            }
            if members.isEmpty {
                error(location, "'\(member.key)' has no conditions", "write {name: [value]}")
            }
            warn(ofOperator: members)
            return .object(object(members, scope))
        case .list(let elements, _) where !subject.isMap:
            if elements.isEmpty {
                error(location, "an empty list matches nothing", "write at least one value")
            }
            return .leaf(leaf(elements, subject, member.key))
        case .scalar(let text, let style, _, _, _) where !subject.isMap:
            error(location, "'\(member.key)' must be a list", "write [\(Self.flow(text, style))]")
        default:
            error(location, "'\(member.key)' must be a map", "write {name: [value]}")
        }
        return nil
    }

    /// A scalar as it can be written in a list on one line.
    private static func flow(_ text: String, _ style: MappingScalarStyle) -> String {
        let isSafe = text.allSatisfy { $0.isLetter || $0.isNumber || "._-/".contains($0) }
        if isSafe, !text.isEmpty, style == .plain { return text }
        var written: [UInt8] = []
        written.appendJSONText(text)
        return "\"\(String(decoding: written, as: UTF8.self))\""
    }

    /// An operator in place of a list; a member's name must be followed by a list or a map of
    /// lists, so with a scalar it can only be meant as an operator.
    private static func operatorText(_ members: [MappingMember]) -> String? {
        guard members.count == 1, PatternOperator(rawValue: members[0].key) != nil,
            case .scalar(let text, let style, _, _, _) = members[0].value
        else { return nil }
        return "{\(members[0].key): \(flow(text, style))}"
    }

    /// Warns that `{numeric: […]}` without a list around it is a member named `numeric`.
    private mutating func warn(ofOperator members: [MappingMember]) {
        guard members.count == 1, PatternOperator(rawValue: members[0].key) != nil else { return }
        let key = members[0].key
        // The operator takes a string, so that a list is that of a member.
        if key == PatternOperator.version.rawValue, case .list = members[0].value { return }
        warning(
            members[0].keyLocation, "'\(key)' is treated as the name of a member here",
            "to use the operator, put it in a list: [{\(key): …}]")
    }
}

extension PlanBuilder.PatternScope {
    /// True at the top level of an event.
    fileprivate var isRoot: Bool {
        if case .event(isRoot: true) = self { return true }
        return false
    }
}

extension MappingSource {
    fileprivate var isMap: Bool {
        if case .map = self { true } else { false }
    }
}

extension PatternTable.Subject {
    /// Where the members of this subject are looked up; nil when it has none.
    fileprivate var scope: PlanBuilder.PatternScope? {
        switch self {
        case .member, .value: .event(isRoot: false)
        case .headers: .headers
        case .attributes: .attributes
        default: nil
        }
    }

    /// True for metadata that is selected by name.
    fileprivate var isMap: Bool {
        self == .headers || self == .attributes || self == .value
    }

    /// The kind of all its values, if known.
    var kind: LeafKind? {
        switch self {
        case .member, .value, .headers, .attributes: nil
        case .key, .topic, .header, .attribute: .text
        case .partition, .offset, .timestamp: .number
        }
    }
}
