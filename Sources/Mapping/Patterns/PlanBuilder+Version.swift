extension PlanBuilder {
    /// Compiles `version`: comparisons such as `>=5.10 <6`, which must all hold.
    mutating func version(_ member: MappingMember) -> PatternTable.Matcher? {
        let remedy = "write {version: \">=5.10 <6\"}"
        guard let scalar = ScalarSource(member.value), let text = literal(scalar) else {
            if ScalarSource(member.value) == nil {
                error(member.value.location, "'version' takes one string", remedy)
            }
            return nil
        }
        let parts = text.split(separator: " ").map(String.init)
        guard !parts.isEmpty else {
            error(scalar.location, "'version' needs a comparison", remedy)
            return nil
        }
        var found: [PatternTable.Comparison] = []
        for part in parts {
            let sign = String(part.prefix { "=!<>".contains($0) })
            let number = Array(part.dropFirst(sign.count).utf8)
            guard ["", "=", "!=", "<", "<=", ">", ">="].contains(sign) else {
                error(
                    scalar.location, "'\(sign)' is not a comparison",
                    "the comparisons are =, !=, <, <=, > and >=")
                return nil
            }
            guard VersionText(number, from: 0, to: number.count) != nil else {
                error(
                    scalar.location, "'\(part.dropFirst(sign.count))' is not a version",
                    number.isEmpty ? remedy + ", without a space after the comparison" : remedy)
                return nil
            }
            found.append(
                PatternTable.Comparison(
                    takesLess: sign.hasPrefix("<") || sign == "!=",
                    takesEqual: sign.isEmpty || sign.hasSuffix("=") && sign != "!=",
                    takesGreater: sign.hasPrefix(">") || sign == "!=",
                    number: constant(String(decoding: number, as: UTF8.self))))
        }
        let start = Int32(plan.patterns.comparisons.count)
        plan.patterns.comparisons.append(contentsOf: found)
        return .version(.init(start: start, end: start + Int32(found.count)))
    }
}
