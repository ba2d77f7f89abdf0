internal import JSON
internal import Spelling

extension PlanBuilder {
    private static var forEachRemedy: String {
        "write for_each: {items: \"${devices}\", as: device}"
    }

    /// Compiles `for_each`: the list, what an element is called, and its condition.
    mutating func compile(forEach member: MappingMember) {
        guard case .map(let members, let location) = member.value else {
            return error(member.value.location, "'for_each' must be a map", Self.forEachRemedy)
        }
        let known = ForEachKey.allCases.map(\.rawValue)
        var found: [ForEachKey: MappingMember] = [:]
        for member in members {
            if let key = ForEachKey(rawValue: member.key) {
                found[key] = member
            } else {
                let near = Suggestion.nearest(to: member.key, among: known)
                error(
                    member.keyLocation, "unknown key '\(member.key)' in for_each",
                    near.map { "did you mean '\($0)'?" }
                        ?? "keys are \(known.joined(separator: ", "))")
            }
        }
        // Before the name is known: the list itself is in the event.
        let items = found[.items].map { hole(ofItems: $0) }
        if items == nil { error(location, "'items' is missing in for_each", Self.forEachRemedy) }
        if let name = found[.name] {
            compile(elementName: name)
        } else {
            error(location, "'as' is missing in for_each", Self.forEachRemedy)
        }
        let accepted = found[.condition].flatMap { pattern($0.value, of: .element) }
        block.elements = ElementPlan(items: items ?? -1, pattern: accepted)
        if let rest = found[.rest] { compile(rest: rest, hasCondition: found[.condition] != nil) }
    }

    /// Compiles `else`: a block for the elements that match no earlier one.
    private mutating func compile(rest member: MappingMember, hasCondition: Bool) {
        let text = ScalarSource(member.value)?.text
        if text == "false" { return }
        guard text == "true" else {
            return error(
                member.value.location, "'else' must be true", "write else: true, or remove it")
        }
        if hasCondition {
            error(
                member.keyLocation, "'else' and 'when' are mutually exclusive",
                "remove one of them: 'else' is for the elements that match no earlier block")
        }
        if !plan.blocks.contains(where: { $0.elements?.pattern != nil }) {
            error(
                member.keyLocation,
                "'else' is only valid after a block whose 'for_each' has a 'when'",
                "write a list of 'notifications', and this block last")
        }
        block.elements?.isForTheRest = true
    }

    /// The hole of `items`, which must be a path to a list; -1 if it is not.
    private mutating func hole(ofItems member: MappingMember) -> Int32 {
        guard let scalar = ScalarSource(member.value) else {
            error(
                member.value.location, "'items' must be the path of a list in the event",
                "write items: ${devices}")
            return -1
        }
        guard let template = parse(scalar) else { return -1 }
        if let hole = template.aloneHole, hole.isInKey {
            error(
                scalar.location, "'items' cannot be a list in the key",
                "write the path of a list in the event, such as items: ${devices}; other fields may"
                    + " take parts of the key")
            return -1
        }
        guard let hole = template.aloneHole, hole.isListOfEvent else {
            error(
                scalar.location, "'items' must be the path of a list in the event",
                "write items: ${devices}, without other text, '[*]', '?' or transforms")
            return -1
        }
        let number = add(template, from: scalar, use: TemplateUse(wanted: .items))
        setElements(of: hole)
        return plan.templates[Int(number)].aloneHole
    }

    private mutating func compile(elementName member: MappingMember) {
        guard let scalar = ScalarSource(member.value), Self.isName(scalar.text) else {
            return error(
                member.value.location, "'as' must be a name: letters, digits, '_' and '-'",
                "write as: device")
        }
        elementName = scalar.text
        block.elementName = scalar.text
        elementNames.append((scalar.text, scalar.location))
        if plan.elementStart < 0 { plan.elementStart = Int32(plan.paths.addMovingStart()) }
    }

    /// True when a template can begin with the name.
    private static func isName(_ text: String) -> Bool {
        guard let hole = try? TemplateParser.parse("${\(text)}").aloneHole else { return false }
        return hole.operands == [.path(Template.Path(steps: [.member(text)]))] && !hole.isOptional
            && hole.transforms.isEmpty
    }

    /// Warns when each element would have the same device token.
    mutating func warnOfOneToken(_ member: MappingMember) {
        guard let elementName, block.fields.deviceToken >= 0,
            !usesElement(block.fields.deviceToken)
        else { return }
        warning(
            member.value.location,
            "'device_token' is the same for each '\(elementName)': all but the first are"
                + " duplicates",
            "write device_token: ${\(elementName).token}")
    }

    /// True when a template depends on the element of the block's list.
    func usesElement(_ template: Int32) -> Bool {
        plan.templates[Int(template)].parts.range.contains { part in
            guard case .hole(let hole) = plan.parts[part] else { return false }
            return plan.holes[Int(hole)].operands.range.contains {
                if case .lookUp = plan.operands[$0] { return true }
                guard case .path(let path) = plan.operands[$0] else { return false }
                return plan.paths.begins(Int(path), with: Int(plan.elementStart))
            }
        }
    }

    /// Completes the plan after the last block: which paths begin in an element.
    mutating func endElements() {
        guard plan.elementStart >= 0 else { return }
        plan.elementPaths = plan.paths.numbers(from: Int(plan.elementStart))
        let conditions = plan.conditions + plan.blockConditions.flatMap { $0 }
        let members = eventMembers.union(conditions.compactMap(\.path.first))
        for (name, location) in elementNames where members.contains(name) {
            warning(
                location, "'\(name)' hides the event's own member '\(name)' in this notification",
                "choose a name that the event does not have")
        }
    }
}

/// The keys of `for_each`.
private enum ForEachKey: String, CaseIterable {
    case items
    case name = "as"
    case condition = "when"
    case rest = "else"
}

extension Template.Hole {
    /// True for a path into the key.
    fileprivate var isInKey: Bool {
        operands.contains { operand in
            guard case .path(let path) = operand else { return false }
            return path.root == .key && !path.steps.isEmpty
        }
    }

    /// True for paths into the event that may lead to a list.
    fileprivate var isListOfEvent: Bool {
        !isOptional && transforms.isEmpty
            && operands.allSatisfy { operand in
                guard case .path(let path) = operand, path.root == .event || path.root == .value
                else { return false }
                return !path.steps.contains(.everyElement)
            }
    }
}
