internal import JSON
internal import Spelling

/// How a block treats values that are only known to be invalid at run time.
struct Policy {
    /// True when `aps` may contain keys that Apple does not document.
    var allowsUnknownKeys = false
    /// True when an invalid collapse ID is replaced by its hash.
    var hashesCollapseID = false
    /// The path of the string to truncate when the payload is too large; nil to drop it.
    var truncated: [JSONPathStep]?
}

extension PlanBuilder {
    /// Reads `policy`.
    mutating func policy(_ member: MappingMember?) -> Policy {
        var policy = Policy()
        guard let member else { return policy }
        guard case .map(let members, _) = member.value else {
            error(
                member.value.location, "'policy' must be a map",
                "write policy: {payload_too_large: truncate, truncate: aps.alert.body}")
            return policy
        }
        let names = PolicyName.allCases.map(\.rawValue)
        var found: [PolicyName: (member: MappingMember, word: String)] = [:]
        for member in members {
            guard let name = PolicyName(rawValue: member.key) else {
                let near = Suggestion.nearest(to: member.key, among: names)
                error(
                    member.keyLocation, "unknown key '\(member.key)' in policy",
                    near.map { "did you mean '\($0)'?" }
                        ?? "keys are \(names.joined(separator: ", "))")
                continue
            }
            let word = ScalarSource(member.value)?.text ?? ""
            if name == .truncate || name.choices.contains(word) {
                found[name] = (member, word)
            } else {
                error(
                    member.value.location,
                    "'\(member.key)' cannot be \(word.isEmpty ? "empty" : "'\(word)'")",
                    "write \(name.choices.joined(separator: " or "))")
            }
        }
        policy.allowsUnknownKeys = found[.unknownKeys]?.word == "allow"
        policy.hashesCollapseID = found[.collapseID]?.word == "hash"
        let truncates = found[.tooLarge]?.word == "truncate"
        switch (truncates, found[.truncate]?.member) {
        case (true, let path?): policy.truncated = truncated(path)
        case (true, nil):
            error(
                member.keyLocation, "'truncate' is missing: the path of the string to cut",
                "write truncate: aps.alert.body")
        case (false, let path?):
            error(
                path.keyLocation, "'truncate' is only valid with 'payload_too_large: truncate'",
                "write payload_too_large: truncate next to it")
        case (false, nil): break
        }
        return policy
    }

    /// The path in the payload given by `truncate`.
    private mutating func truncated(_ member: MappingMember) -> [JSONPathStep]? {
        guard let scalar = ScalarSource(member.value), !scalar.text.isEmpty else {
            error(
                member.value.location, "'truncate' must be a path in the payload",
                "write truncate: aps.alert.body")
            return nil
        }
        do throws(TemplateFault) {
            let hole = try TemplateParser.parse("${\(scalar.text)}").aloneHole
            guard let hole, hole.operands.count == 1, hole.transforms.isEmpty, !hole.isOptional,
                case .path(let path) = hole.operands[0], path.root == .event
            else { throw TemplateFault(offset: 0, message: "it is not a path") }
            guard let steps = path.fixedSteps else {
                throw TemplateFault(offset: 0, message: "it is not a single path")
            }
            return steps
        } catch {
            self.error(
                scalar.location, "'truncate' cannot be '\(scalar.text)': \(error.message)",
                "write a path in the payload, as in aps.alert.body")
            return nil
        }
    }

    /// Checks that a written payload has a string at the path to truncate, and sets it.
    mutating func compile(truncated steps: [JSONPathStep]?, in payload: MappingSource) {
        guard let steps, let location = block.locations["policy"] else { return }
        block.truncated = path(steps)
        var source = payload
        for step in steps {
            // The value of a template is only known from the event.
            if ScalarSource(source)?.text.contains("${") == true { return }
            switch (source, step) {
            case (.map(let members, _), .member(let name)):
                guard let member = members.last(where: { $0.key == name }) else {
                    if members.contains(where: { $0.key == PayloadCompiler.spreadKey }) { return }
                    return error(
                        location,
                        "the path in 'truncate' does not exist: the payload has no '\(name)' there",
                        Suggestion.nearest(to: name, among: members.map(\.key))
                            .map { "did you mean '\($0)'?" })
                }
                source = member.value
            case (.list(let elements, _), .element(let index)) where index < elements.count:
                source = elements[index]
            default:
                return error(location, "the path in 'truncate' does not exist in the payload")
            }
        }
        guard ScalarSource(source) != nil else {
            return error(
                location, "the path in 'truncate' must lead to a string",
                "write a path such as aps.alert.body")
        }
    }
}

/// The keys of `policy`.
private enum PolicyName: String, CaseIterable {
    case tooLarge = "payload_too_large"
    case truncate
    case collapseID = "collapse_id_too_long"
    case unknownKeys = "unknown_aps_keys"

    var choices: [String] {
        switch self {
        case .tooLarge: ["drop", "truncate"]
        case .truncate: []
        case .collapseID: ["drop", "hash"]
        case .unknownKeys: ["refuse", "allow"]
        }
    }
}
