extension PlanBuilder {
    /// Compiles the list of a leaf.
    mutating func leaf(
        _ elements: [MappingSource], _ subject: PatternTable.Subject, _ name: String
    ) -> PatternTable.Leaf {
        var leaf = PatternTable.Leaf(matchers: .init(start: 0, end: 0))
        var found: [PatternTable.Matcher] = []
        for element in elements {
            guard let matcher = matcher(element) else { continue }
            if case .absent = matcher {
                leaf.takesAbsence = true
                continue
            }
            guard let matcher = matcher.matcher else { continue }
            warn(matcher, element.location, subject, name)
            found.append(matcher)
        }
        for matcher in found { leaf.needs.formUnion(needs(of: matcher)) }
        leaf.matchers = add(found)
        return leaf
    }

    /// An element of a list.
    private enum Element {
        case absent
        case one(PatternTable.Matcher)

        var matcher: PatternTable.Matcher? {
            guard case .one(let matcher) = self else { return nil }
            return matcher
        }
    }

    private mutating func add(_ matchers: [PatternTable.Matcher]) -> MappingPlan.Run {
        let start = Int32(plan.patterns.matchers.count)
        plan.patterns.matchers.append(contentsOf: matchers)
        return .init(start: start, end: start + Int32(matchers.count))
    }

    private func needs(of matcher: PatternTable.Matcher) -> LeafNeeds {
        switch matcher {
        case .null, .boolean, .anything: []
        case .number, .numeric: .number
        case .version: [.number, .text, .copy]
        case .text: .text
        case .wildcard, .addresses, .prefix(_, false), .suffix(_, false): [.text, .copy]
        case .equalIgnoringCase, .prefix(_, true), .suffix(_, true): [.text, .copy, .folded]
        case .anythingBut(let run):
            (run.start..<run.end).reduce(into: []) {
                $0.formUnion(needs(of: plan.patterns.matchers[Int($1)]))
            }
        }
    }

    /// Warns of values that can never be equal because metadata has a single type.
    private mutating func warn(
        _ matcher: PatternTable.Matcher, _ location: MappingLocation,
        _ subject: PatternTable.Subject,
        _ name: String
    ) {
        let needs = needs(of: matcher)
        switch (subject.kind, matcher) {
        case (.text, .null):
            warning(
                location, "'\(name)' is never null", "to match an absent one write {exists: false}")
        case (.text, .number), (.text, .boolean):
            warning(
                location, "'\(name)' is a string: this never equals it",
                "write it in quotation marks")
        case (.text, .numeric):
            warning(
                location, "'\(name)' is a string: 'numeric' never matches it",
                "write the string, or a wildcard")
        case (.number, .null), (.number, .boolean):
            warning(location, "'\(name)' is a number: this never equals it", "write a number")
        case (.number, .anythingBut): break
        case (.number, _) where needs.contains(.text):
            warning(
                location, "'\(name)' is a number: a string never equals it",
                "write a number, or use numeric")
        default: break
        }
    }

    private mutating func matcher(_ source: MappingSource) -> Element? {
        switch source {
        case .scalar: return value(source).map { .one($0) }
        case .list(_, let location):
            error(
                location, "a list of values cannot contain a list",
                "write its values side by side: [a, b]")
            return nil
        case .map(let members, let location):
            guard members.count == 1 else {
                error(
                    location, "an operator must be the only key of its map",
                    "write [{prefix: \"a\"}, {prefix: \"b\"}]")
                return nil
            }
            return operation(members[0])
        }
    }

    /// Compiles a value that must be equal.
    private mutating func value(_ source: MappingSource) -> PatternTable.Matcher? {
        guard let scalar = ScalarSource(source), let text = literal(scalar) else { return nil }
        switch scalar.style == .plain ? PlainScalar.read(text) : .text(text) {
        case .null: return .null
        case .boolean(let value): return .boolean(value)
        case .number(let token): return .number(constant(token))
        case .text(let text): return .text(constant(text))
        case .ambiguous(let remedy):
            error(
                scalar.location, "'\(text)' is ambiguous: YAML parsers read it differently", remedy)
            return nil
        }
    }

    private mutating func operation(_ member: MappingMember) -> Element? {
        guard let name = PatternOperator(rawValue: member.key) else {
            error(
                member.keyLocation, "unknown operator '\(member.key)'",
                PatternOperator.remedy(for: member.key))
            return nil
        }
        switch name {
        case .prefix, .suffix, .equalsIgnoreCase, .wildcard:
            return textMatchers(name, member.value, takesLists: false)?.first.map { .one($0) }
        case .numeric: return numeric(member).map { .one($0) }
        case .version: return version(member).map { .one($0) }
        case .addressRange: return addresses(member).map { .one($0) }
        case .anythingBut: return anythingBut(member).map { .one($0) }
        case .exists:
            guard let scalar = ScalarSource(member.value), scalar.style == .plain,
                scalar.text == "true" || scalar.text == "false"
            else {
                error(
                    member.value.location, "'exists' must be true or false", "write {exists: true}")
                return nil
            }
            return scalar.text == "true" ? .one(.anything) : .absent
        }
    }

    private mutating func anythingBut(_ member: MappingMember) -> PatternTable.Matcher? {
        switch member.value {
        case .scalar:
            guard let value = value(member.value) else { return nil }
            return .anythingBut(add([value]))
        case .list(let elements, let location):
            if elements.isEmpty {
                error(
                    location, "'anything-but' needs a value",
                    "to match any value write {exists: true}"
                )
            }
            var found: [PatternTable.Matcher] = []
            for element in elements {
                if ScalarSource(element) == nil {
                    error(
                        element.location, "'anything-but' takes a list of values or one map",
                        "write {anything-but: {prefix: [\"a\", \"b\"]}}")
                } else if let value = value(element) {
                    found.append(value)
                }
            }
            return .anythingBut(add(found))
        case .map(let members, let location):
            let names = PatternOperator.deniable.map(\.rawValue)
            guard members.count == 1, let name = PatternOperator(rawValue: members[0].key),
                PatternOperator.deniable.contains(name)
            else {
                let written = members.count == 1 ? ", not '\(members[0].key)'" : ""
                error(
                    location, "'anything-but' takes values or one operator\(written)",
                    "the operators are \(names.joined(separator: ", "))")
                return nil
            }
            return textMatchers(name, members[0].value, takesLists: true).map {
                .anythingBut(add($0))
            }
        }
    }

    private mutating func addresses(_ member: MappingMember) -> PatternTable.Matcher? {
        guard let scalar = ScalarSource(member.value) else {
            error(member.value.location, "'cidr' takes one range", "write {cidr: 10.0.0.0/8}")
            return nil
        }
        guard let text = literal(scalar) else { return nil }
        do throws(AddressRange.Fault) {
            let range = try AddressRange(text)
            if range.hasLooseBits {
                warning(
                    scalar.location, "'\(text)' does not start with the first address of its range",
                    "bits after the first \(text.drop { $0 != "/" }.dropFirst()) are ignored")
            }
            return .addresses(range)
        } catch {
            self.error(scalar.location, error.message, error.remedy)
            return nil
        }
    }
}
