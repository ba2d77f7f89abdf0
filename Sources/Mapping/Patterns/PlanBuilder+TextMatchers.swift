extension PlanBuilder {
    /// The string of a scalar in a pattern; patterns have no templates.
    mutating func literal(_ scalar: ScalarSource) -> String? {
        guard scalar.text.contains("${") else { return scalar.text }
        do throws(TemplateFault) {
            var text = ""
            for part in try TemplateParser.parse(scalar.text).parts {
                guard case .text(let piece) = part else {
                    error(
                        scalar.location, "a pattern cannot contain templates",
                        "write the value itself"
                    )
                    return nil
                }
                text += piece
            }
            return text
        } catch {
            self.error(
                scalar.location, "a pattern cannot contain templates", "write the value itself")
            return nil
        }
    }

    /// Compiles an operator that compares strings: a string, `{equals-ignore-case: string}`, and
    /// inside `anything-but` lists of strings.
    mutating func textMatchers(
        _ name: PatternOperator, _ source: MappingSource, takesLists: Bool,
        ignoresCase: Bool = false
    ) -> [PatternTable.Matcher]? {
        switch source {
        case .scalar:
            return textMatcher(name, source, ignoresCase: ignoresCase).map { [$0] }
        case .list(let elements, let location):
            guard takesLists else {
                error(
                    location, "'\(name.rawValue)' takes one string",
                    "write [{\(name.rawValue): \"a\"}, {\(name.rawValue): \"b\"}]")
                return nil
            }
            if elements.isEmpty {
                error(
                    location, "'\(name.rawValue)' needs a string", "write {\(name.rawValue): \"a\"}"
                )
            }
            return elements.compactMap { textMatcher(name, $0, ignoresCase: ignoresCase) }
        case .map(let members, let location):
            guard name == .prefix || name == .suffix, !ignoresCase, members.count == 1,
                members[0].key == PatternOperator.equalsIgnoreCase.rawValue
            else {
                let own = name == .prefix || name == .suffix
                error(
                    location,
                    "'\(name.rawValue)' takes a string" + (own ? " or equals-ignore-case" : ""),
                    own
                        ? "write {\(name.rawValue): {equals-ignore-case: \"a\"}}"
                        : "write {\(name.rawValue): \"a\"}")
                return nil
            }
            return textMatchers(
                name, members[0].value, takesLists: takesLists, ignoresCase: true)
        }
    }

    private mutating func textMatcher(
        _ name: PatternOperator, _ source: MappingSource, ignoresCase: Bool
    ) -> PatternTable.Matcher? {
        guard let scalar = ScalarSource(source), scalar.style == .quoted || !scalar.text.isEmpty
        else {
            error(
                source.location, "'\(name.rawValue)' needs a string",
                "write {\(name.rawValue): \"a\"}")
            return nil
        }
        guard let text = literal(scalar) else { return nil }
        switch name {
        case .prefix:
            return .prefix(constant(text, isFolded: ignoresCase), ignoresCase: ignoresCase)
        case .suffix:
            return .suffix(constant(text, isFolded: ignoresCase), ignoresCase: ignoresCase)
        case .equalsIgnoreCase: return .equalIgnoringCase(constant(text, isFolded: true))
        default: return wildcard(text, scalar)
        }
    }

    private mutating func constant(_ text: String, isFolded: Bool) -> MappingPlan.Piece {
        constant { bytes in
            if isFolded {
                bytes.appendFolded(Array(text.utf8))
            } else {
                bytes.append(contentsOf: text.utf8)
            }
        }
    }

    private mutating func wildcard(_ text: String, _ scalar: ScalarSource) -> PatternTable.Matcher?
    {
        do throws(Wildcard.Fault) {
            plan.patterns.wildcards.append(try Wildcard(text))
            return .wildcard(Int32(plan.patterns.wildcards.count - 1))
        } catch {
            self.error(scalar.location(at: error.offset), error.message, error.remedy)
            return nil
        }
    }
}
