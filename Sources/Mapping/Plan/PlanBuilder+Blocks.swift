internal import Spelling

extension PlanBuilder {
    /// Compiles the single block of `notification`.
    mutating func compile(notification: MappingSource) {
        guard case .map(let members, let location) = notification else {
            return error(
                notification.location, "'notification' must be a map of fields",
                "write device_token: and payload: below it")
        }
        let fields = fields(members, name: "notification") { builder, member in
            guard member.key == "when" else { return false }
            builder.error(
                member.keyLocation, "'when' belongs at the top level",
                "move it there, or write a list of 'notifications'")
            return true
        }
        compile(fields: fields, of: location)
        endBlock()
    }

    /// Compiles the blocks of `notifications`, each with its own condition.
    mutating func compile(notifications: MappingSource) {
        guard case .list(let elements, let location) = notifications else {
            return error(
                notifications.location, "'notifications' must be a list of blocks",
                "write a '-' before each block, or one 'notification'")
        }
        if elements.isEmpty {
            error(location, "'notifications' is empty", "write at least one block")
        }
        // Where a block that matches every event has a list with a condition, only blocks with the
        // same list are reached after it.
        var unconditional: (location: MappingLocation, list: String?)?
        for element in elements where !isFull {
            let list = Self.writtenList(of: element)
            if let before = unconditional, !plan.matchesAll,
                before.list == nil || before.list != list
            {
                warning(
                    element.location,
                    "this block is unreachable: the one in line \(before.location.line) matches"
                        + " every event",
                    "give that one a 'when', move it to the end, or write match: all")
                unconditional = nil
            }
            if !compile(block: element) {
                let isSelective = plan.blocks.last?.elements?.pattern != nil
                unconditional = (element.location, isSelective ? list : nil)
            }
        }
    }

    /// The `items` of a block's `for_each` as they are written; nil for a block without one.
    private static func writtenList(of block: MappingSource) -> String? {
        guard case .map(let members, _) = block,
            case .map(let list, _)? = members.last(where: { $0.key == "for_each" })?.value
        else { return nil }
        return list.last { $0.key == "items" }.flatMap { ScalarSource($0.value)?.text }
    }

    /// Compiles one block of a list; true when it has a condition.
    private mutating func compile(block source: MappingSource) -> Bool {
        guard case .map(let members, let location) = source else {
            error(
                source.location, "a block of 'notifications' must be a map of fields",
                "write when:, device_token: and payload:")
            return true
        }
        var condition: MappingSource?
        let fields = fields(members, name: "a block of notifications") { _, member in
            guard member.key == "when" else { return false }
            condition = member.value
            return true
        }
        if let condition {
            block.pattern = pattern(condition)
            narrowShape(by: condition)
        }
        compile(fields: fields, of: location)
        endBlock()
        return condition != nil
    }

    /// Sorts the members of a block; `takes` handles those that are not fields.
    private mutating func fields(
        _ members: [MappingMember], name: String, _ takes: (inout Self, MappingMember) -> Bool
    ) -> [FieldName: MappingMember] {
        var fields: [FieldName: MappingMember] = [:]
        for member in members where !isFull {
            if let name = FieldName(rawValue: member.key) {
                fields[name] = member
                block.locations[member.key] = member.keyLocation
            } else if !takes(&self, member) {
                let known = FieldName.allCases.map(\.rawValue)
                let near = Suggestion.nearest(
                    to: member.key, among: name == "notification" ? known : ["when"] + known)
                error(
                    member.keyLocation, "unknown key '\(member.key)' in \(name)",
                    near.map { "did you mean '\($0)'?" }
                        ?? "keys are \(known.joined(separator: ", "))")
            }
        }
        return fields
    }

    /// Reads `match`: which of the matching blocks yield their notification.
    mutating func compile(match: MappingMember, isUsed: Bool) {
        guard isUsed else {
            return error(
                match.keyLocation, "'match' is only valid with 'notifications'",
                "remove it, or write a list of 'notifications'")
        }
        let text = ScalarSource(match.value)?.text ?? ""
        switch text {
        case "first": plan.matchesAll = false
        case "all": plan.matchesAll = true
        default:
            error(
                match.value.location,
                "'match' must be first or all" + (text.isEmpty ? "" : ", not '\(text)'"),
                "first: the first block that matches; all: each one that matches")
        }
    }
}
