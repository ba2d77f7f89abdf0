internal import JSON

extension PlanBuilder {
    /// Compiles `numeric`: one comparison, or two that must both hold.
    mutating func numeric(_ member: MappingMember) -> PatternTable.Matcher? {
        let remedy = "write [\">\", 0, \"<=\", 5]"
        guard case .list(let elements, let location) = member.value else {
            error(
                member.value.location, "'numeric' needs a list of comparisons and numbers", remedy)
            return nil
        }
        guard elements.count == 2 || elements.count == 4 else {
            error(location, "'numeric' needs one or two comparisons, each with a number", remedy)
            return nil
        }
        var found: [PatternTable.Comparison] = []
        for index in stride(from: 0, to: elements.count, by: 2) {
            let sign = sign(elements[index])
            let number = number(elements[index + 1])
            guard let sign, let number else { continue }
            found.append(
                PatternTable.Comparison(
                    takesLess: sign.hasPrefix("<"), takesEqual: sign.hasSuffix("="),
                    takesGreater: sign.hasPrefix(">"), number: number))
        }
        guard found.count == elements.count / 2 else { return nil }
        if found.count == 2, !canHold(found[0], found[1]) {
            error(
                location, "no number is both \(message(elements, 0)) and \(message(elements, 2))",
                "write the smaller number with '>' and the larger one with '<'")
        }
        let start = Int32(plan.patterns.comparisons.count)
        plan.patterns.comparisons.append(contentsOf: found)
        return .numeric(.init(start: start, end: start + Int32(found.count)))
    }

    private func message(_ elements: [MappingSource], _ index: Int) -> String {
        [index, index + 1].map { ScalarSource(elements[$0])?.text ?? "" }.joined(separator: " ")
    }

    private mutating func sign(_ source: MappingSource) -> String? {
        let known = ["<", "<=", "=", ">=", ">"]
        let text = ScalarSource(source)?.text ?? ""
        if known.contains(text) { return text }
        let meant = ["==": "=", "=<": "<=", "=>": ">="][text]
        let remedy =
            text == "!=" || text == "<>"
            ? "write {anything-but: 5}"
            : meant.map { "did you mean \"\($0)\"?" } ?? "the comparisons are <, <=, =, >= and >"
        error(source.location, "'\(text)' is not a comparison", remedy)
        return nil
    }

    private mutating func number(_ source: MappingSource) -> MappingPlan.Piece? {
        guard let scalar = ScalarSource(source), let text = literal(scalar) else {
            if ScalarSource(source) == nil {
                error(source.location, "missing number", "write [\">\", 0, \"<=\", 5]")
            }
            return nil
        }
        guard PlainScalar.isJSONNumber(text) else {
            error(
                scalar.location, "'\(text)' is not a number", "write it as in JSON: 5, -1.5 or 1e6")
            return nil
        }
        guard scalar.style == .plain else {
            error(
                scalar.location, "'\(text)' is a string here",
                "write \(text) without quotation marks")
            return nil
        }
        return constant(text)
    }

    /// False when no number satisfies both comparisons.
    private func canHold(_ a: PatternTable.Comparison, _ b: PatternTable.Comparison) -> Bool {
        let order = JSONNumber.compare(bytes(a.number), bytes(b.number))
        if order == 0 {
            return a.takesLess && b.takesLess || a.takesEqual && b.takesEqual
                || a.takesGreater && b.takesGreater
        }
        // There are numbers between any two different ones; the comparisons either include them or
        // not.
        let (smaller, larger) = order < 0 ? (a, b) : (b, a)
        return smaller.takesGreater || larger.takesLess
    }

    private func bytes(_ piece: MappingPlan.Piece) -> [UInt8] {
        Array(plan.constants[Int(piece.start)..<Int(piece.end)])
    }
}
