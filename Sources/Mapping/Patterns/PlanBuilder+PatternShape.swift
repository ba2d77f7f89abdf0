internal import JSON
internal import Spelling

/// Checks of conditions against the schemas of events.
extension PlanBuilder {
    /// Checks the conditions of a `when`.
    mutating func check(pattern members: [MappingMember], of scope: PatternScope) {
        guard let shape else { return }
        switch scope {
        case .event:
            check(conditions: members, on: shape.event, "", isRoot: true, isBranch: false)
        case .element:
            guard let element = shape.element else { return }
            check(
                conditions: members, on: element, elementName ?? "", isRoot: true, isBranch: false)
        case .headers, .attributes: break
        }
    }

    /// Checks the conditions on an object, or on the elements of an array; `written` is its path.
    /// A branch of `$or` that never holds is only a warning.
    private mutating func check(
        conditions members: [MappingMember], on nodes: [Int], _ written: String, isRoot: Bool,
        isBranch: Bool
    ) {
        guard let shape else { return }
        let objects = withElements(nodes)
        for member in members {
            if member.key == "$or", case .list(let branches, _) = member.value {
                for case .map(let inner, _) in branches {
                    check(
                        conditions: inner, on: nodes, written, isRoot: isRoot, isBranch: true)
                }
                continue
            }
            if isRoot, member.key.hasPrefix("@") {
                // In an element they are refused.
                if member.key == "@value", written.isEmpty, case .map(let inner, _) = member.value {
                    check(
                        conditions: inner, on: shape.schema.events, "@value", isRoot: false,
                        isBranch: isBranch)
                }
                continue
            }
            let name = Self.quotedName(member.key) ?? member.key
            let found = shape.shape.member(name, of: objects)
            guard !found.isEmpty else {
                report(
                    member.keyLocation, shape.miss(name, of: objects, written),
                    isWarning: isBranch || member.value.acceptsAbsence)
                continue
            }
            let path = written.isEmpty ? name : "\(written).\(name)"
            check(member, at: path, found, isBranch: isBranch)
        }
    }

    private mutating func check(
        _ member: MappingMember, at path: String, _ nodes: [Int], isBranch: Bool
    ) {
        guard let shape else { return }
        switch member.value {
        case .map(let inner, _):
            let kinds = shape.shape.kinds(of: withElements(nodes))
            guard kinds.contains(.object) else {
                return report(
                    member.keyLocation,
                    EventShape.Miss(
                        message: "'\(path)' is \(shape.name(of: nodes)) in the schema:"
                            + " it has no members",
                        remedy: "write \(member.key): [value]"),
                    isWarning: isBranch || member.value.acceptsAbsence)
            }
            check(conditions: inner, on: nodes, path, isRoot: false, isBranch: isBranch)
        case .list(let values, _):
            check(values: values, at: path, nodes, isBranch: isBranch)
        case .scalar: break
        }
    }

    /// Checks that a leaf can have one of the values, and warns of each that it cannot have.
    private mutating func check(
        values: [MappingSource], at path: String, _ nodes: [Int], isBranch: Bool
    ) {
        guard let shape else { return }
        let leaves = withElements(nodes)
        let kinds = shape.shape.kinds(of: leaves)
        let words = shape.shape.words(of: leaves)
        var misses: [(MappingLocation, EventShape.Miss)] = []
        for value in values {
            if let miss = miss(of: value, at: path, kinds, words) {
                misses.append((value.location, miss))
            }
        }
        let isNever = misses.count == values.count
        for (location, miss) in misses {
            report(location, miss, isWarning: isBranch || !isNever)
        }
    }

    /// Why a leaf never has a value; nil when it may.
    private func miss(
        of value: MappingSource, at path: String, _ kinds: JSONShape.Kinds, _ words: [String]?
    ) -> EventShape.Miss? {
        guard let needed = value.matchedKinds else { return nil }
        if kinds.isDisjoint(with: needed) {
            let leaves = kinds.subtracting([.array, .object])
            return EventShape.Miss(
                message: "'\(path)' is \(kinds.subtracting(.array).name) in the schema:"
                    + " this never matches it",
                remedy: leaves.subtracting(.null) == []
                    ? "write conditions on its members: {name: [value]}"
                    : "write \(leaves.name)")
        }
        guard needed == .string, let words, case .scalar(let text, _, _, _, _) = value,
            !words.contains(text)
        else { return nil }
        return EventShape.Miss(
            message: "'\(path)' is never '\(text)' in the schema",
            remedy: Suggestion.question(about: text, among: words)
                ?? "the symbols are \(words.prefix(12).joined(separator: ", "))"
                + (words.count > 12 ? ", …" : ""))
    }

    /// The nodes, and those of elements in arrays: a condition holds if it does for one of them.
    private func withElements(_ nodes: [Int]) -> [Int] {
        guard let shape else { return nodes }
        var all = shape.shape.alternatives(of: nodes)
        var next = shape.shape.elements(of: all)
        while case let new = next.filter({ !all.contains($0) }), !new.isEmpty {
            all += new
            next = shape.shape.elements(of: new)
        }
        return all
    }

    private mutating func report(
        _ location: MappingLocation, _ miss: EventShape.Miss, isWarning: Bool
    ) {
        if isWarning {
            warning(location, miss.message, miss.remedy)
        } else {
            error(location, miss.message, miss.remedy)
        }
    }
}

extension MappingSource {
    /// True for conditions that hold where nothing is: each has `{exists: false}` in its list.
    fileprivate var acceptsAbsence: Bool {
        switch self {
        case .scalar: false
        case .list(let values, _): values.contains { $0.isAbsence }
        case .map(let members, _): members.allSatisfy { $0.acceptsAbsence }
        }
    }

    /// True for `{exists: false}`.
    private var isAbsence: Bool {
        guard case .map(let members, _) = self, members.first?.key == "exists",
            case .scalar("false", _, _, _, _)? = members.first?.value
        else { return false }
        return true
    }

    /// The kinds of values that an element of a leaf's list matches; nil for any, or if it is not
    /// valid.
    fileprivate var matchedKinds: JSONShape.Kinds? {
        switch self {
        case .list: return nil
        case .scalar(_, .quoted, _, _, _): return .string
        case .scalar(let text, .plain, _, _, _):
            switch PlainScalar.read(text) {
            case .null: return .null
            case .boolean: return .boolean
            case .number: return .number
            case .text: return .string
            case .ambiguous: return nil
            }
        case .map(let members, _):
            switch members.first.flatMap({ PatternOperator(rawValue: $0.key) }) {
            case .prefix, .suffix, .equalsIgnoreCase, .wildcard, .addressRange: return .string
            case .numeric: return .number
            case .version: return [.string, .number]
            case .anythingBut, .exists, nil: return nil
            }
        }
    }
}

extension MappingMember {
    /// True for a condition, or a `$or`, that holds where nothing is.
    fileprivate var acceptsAbsence: Bool {
        guard key == "$or", case .list(let branches, _) = value else { return value.acceptsAbsence }
        return branches.contains { $0.acceptsAbsence }
    }
}
