internal import JSON

extension PlanBuilder {
    /// Compiles a `when`; nil when it is none at all.
    mutating func pattern(_ source: MappingSource) -> EventPattern? {
        guard case .map(let members, let place) = source else {
            error(
                source.place, "'when' must be a map of names and lists",
                "write when: {type: [order.shipped]}")
            return nil
        }
        if members.isEmpty { error(place, "'when' is empty", "leave it out to take every event") }
        return EventPattern(root: conditions(members, isRoot: true))
    }

    private mutating func conditions(
        _ members: [MappingMember], isRoot: Bool, areHeaders: Bool = false
    ) -> MappingPlan.Run {
        var found: [PatternTable.Condition] = []
        for member in members {
            guard let subject = subject(of: member, isRoot: isRoot, areHeaders: areHeaders) else {
                continue
            }
            if let condition = condition(member, subject, isHeader: areHeaders) {
                found.append(condition)
            }
        }
        let start = Int32(plan.patterns.conditions.count)
        plan.patterns.conditions.append(contentsOf: found)
        return .init(start: start, end: start + Int32(found.count))
    }

    private mutating func subject(
        of member: MappingMember, isRoot: Bool, areHeaders: Bool
    ) -> PatternTable.Subject? {
        if areHeaders { return .header(header(member.key)) }
        if member.key == "$or" {
            error(member.keyPlace, "'$or' is not there yet")
            return nil
        }
        if isRoot, member.key.hasPrefix("@") {
            switch member.key {
            case "@topic":
                plan.usesTopic = true
                return .topic
            case "@key":
                plan.usesKey = true
                return .key
            case "@headers": return .headers
            case "@ce":
                error(member.keyPlace, "'@ce' is not there yet")
                return nil
            default:
                error(
                    member.keyPlace, "unknown metadata '\(member.key)' in when",
                    "write \"@topic\", \"@key\" or \"@headers\"")
                return nil
            }
        }
        if member.key.contains(".") {
            warning(
                member.keyPlace, "'\(member.key)' is one member's name, not a path",
                "for a path write one map inside the other")
        }
        return .member(path([.member(member.key)]))
    }

    private mutating func condition(
        _ member: MappingMember, _ subject: PatternTable.Subject, isHeader: Bool
    ) -> PatternTable.Condition? {
        let takesMap: Bool
        let takesList: Bool
        switch subject {
        case .headers: (takesMap, takesList) = (true, false)
        case .member: (takesMap, takesList) = (true, true)
        case .key, .topic, .header: (takesMap, takesList) = (false, true)
        }
        switch member.value {
        case .map(let members, let place) where takesMap:
            if members.isEmpty { error(place, "'\(member.key)' has no conditions") }
            var areHeaders = false
            if case .headers = subject { areHeaders = true }
            let run = conditions(members, isRoot: false, areHeaders: areHeaders)
            return PatternTable.Condition(subject: subject, isLeaf: false, run: run)
        case .list(let elements, let place) where takesList:
            if elements.isEmpty {
                error(place, "an empty list matches nothing", "write at least one value")
            }
            return PatternTable.Condition(subject: subject, isLeaf: true, run: matchers(elements))
        case .scalar(let text, _, let place, _) where takesList:
            error(place, "'\(member.key)' must be a list", "write [\(text)]")
        default:
            error(
                member.value.place, "'\(member.key)' must be a \(takesList ? "list" : "map")",
                takesList ? "write [value]" : "write {name: [value]}")
        }
        return nil
    }

    private mutating func matchers(_ elements: [MappingSource]) -> MappingPlan.Run {
        var found: [PatternTable.Matcher] = []
        for element in elements {
            if let matcher = matcher(element) { found.append(matcher) }
        }
        return add(found)
    }

    private mutating func add(_ matchers: [PatternTable.Matcher]) -> MappingPlan.Run {
        let start = Int32(plan.patterns.matchers.count)
        plan.patterns.matchers.append(contentsOf: matchers)
        return .init(start: start, end: start + Int32(matchers.count))
    }

    private mutating func matcher(_ source: MappingSource) -> PatternTable.Matcher? {
        switch source {
        case .scalar: return value(source)
        case .list(_, let place):
            error(place, "a list can not stand in a list of values")
            return nil
        case .map(let members, let place):
            guard members.count == 1 else {
                error(
                    place, "an operator stands alone in its map",
                    "write [{prefix: \"a\"}, {prefix: \"b\"}]")
                return nil
            }
            return operation(members[0])
        }
    }

    private mutating func value(_ source: MappingSource) -> PatternTable.Matcher? {
        guard let scalar = ScalarSource(source) else { return nil }
        if scalar.text.contains("${") {
            error(scalar.place, "a pattern can not hold templates", "write the value itself")
            return nil
        }
        switch scalar.style == .plain ? PlainScalar.read(scalar.text) : .text(scalar.text) {
        case .null: return .null
        case .boolean(let value): return .boolean(value)
        case .number(let token): return .number(constant(token))
        case .text(let text): return .text(constant(text))
        case .ambiguous(let remedy):
            error(
                scalar.place, "'\(scalar.text)' means different things to different readers", remedy
            )
            return nil
        }
    }

    private mutating func operation(_ member: MappingMember) -> PatternTable.Matcher? {
        switch member.key {
        case "prefix", "suffix":
            guard let scalar = ScalarSource(member.value) else {
                error(
                    member.value.place, "'\(member.key)' with a map is not there yet", "write text")
                return nil
            }
            let text = constant(scalar.text)
            return member.key == "prefix" ? .prefix(text) : .suffix(text)
        case "exists":
            guard let scalar = ScalarSource(member.value), scalar.style == .plain,
                scalar.text == "true" || scalar.text == "false"
            else {
                error(member.value.place, "'exists' is true or false", "write {exists: true}")
                return nil
            }
            return .exists(scalar.text == "true")
        case "anything-but": return anythingBut(member)
        case "numeric": return numeric(member)
        case "equals-ignore-case", "wildcard", "cidr":
            error(member.keyPlace, "the operator '\(member.key)' is not there yet")
        default:
            let known = ["prefix", "suffix", "exists", "anything-but", "numeric"]
            error(
                member.keyPlace, "unknown operator '\(member.key)'",
                Spelling.suggestion(for: member.key, among: known).map { "did you mean '\($0)'?" }
                    ?? "operators are \(known.joined(separator: ", "))")
        }
        return nil
    }

    private mutating func anythingBut(_ member: MappingMember) -> PatternTable.Matcher? {
        var found: [PatternTable.Matcher] = []
        switch member.value {
        case .scalar: if let value = value(member.value) { found.append(value) }
        case .list(let elements, let place):
            if elements.isEmpty { error(place, "'anything-but' needs a value") }
            for element in elements {
                if case .map(_, let place) = element {
                    error(
                        place, "'anything-but' takes values or one map",
                        "write {anything-but: {prefix: \"a\"}}")
                } else if let value = matcher(element) {
                    found.append(value)
                }
            }
        case .map(let members, let place):
            guard members.count == 1, ["prefix", "suffix"].contains(members[0].key) else {
                let name = members.first?.key ?? ""
                error(
                    place, "'anything-but' with '\(name)' is not there yet", "write {prefix: \"a\"}"
                )
                return nil
            }
            if let operation = operation(members[0]) { found.append(operation) }
        }
        return .anythingBut(add(found))
    }

    private mutating func numeric(_ member: MappingMember) -> PatternTable.Matcher? {
        guard case .list(let elements, let place) = member.value,
            elements.count == 2 || elements.count == 4
        else {
            error(
                member.value.place, "'numeric' needs a comparison and a number",
                "write [\">\", 0, \"<=\", 5]")
            return nil
        }
        var found: [PatternTable.Comparison] = []
        for index in stride(from: 0, to: elements.count, by: 2) {
            let sign = ScalarSource(elements[index])?.text ?? ""
            guard let number = ScalarSource(elements[index + 1])?.text,
                PlainScalar.isJSONNumber(number),
                ["<", "<=", "=", ">=", ">"].contains(sign)
            else {
                error(
                    place, "'numeric' needs <, <=, =, >= or > and a number",
                    "write [\">\", 0, \"<=\", 5]")
                return nil
            }
            found.append(
                PatternTable.Comparison(
                    takesLess: sign.hasPrefix("<"), takesEqual: sign.hasSuffix("="),
                    takesGreater: sign.hasPrefix(">"), number: constant(number)))
        }
        let start = Int32(plan.patterns.comparisons.count)
        plan.patterns.comparisons.append(contentsOf: found)
        return .numeric(.init(start: start, end: start + Int32(found.count)))
    }
}
