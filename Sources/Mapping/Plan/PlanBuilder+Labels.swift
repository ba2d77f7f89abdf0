internal import JSON

extension PlanBuilder {
    /// Compiles `results.labels`: names, and templates that are evaluated for each event.
    mutating func compile(labels: MappingSource) {
        guard case .map(let members, _) = labels else {
            return error(
                labels.location, "'labels' must be a map of names and templates",
                "write labels: {campaign: \"${campaign.id}\"}")
        }
        for (index, member) in members.enumerated() {
            if index == Mapper.labelLimit {
                error(
                    member.keyLocation, "'labels' has more than \(Mapper.labelLimit) labels",
                    "remove \(members.count - index) of them")
            }
            compile(label: member)
        }
    }

    private mutating func compile(label member: MappingMember) {
        guard Self.isName(member.key) else {
            return error(
                member.keyLocation, "'\(member.key)' is not a valid name of a label",
                "write 1 to 64 letters, digits, '-' and '_' only")
        }
        guard let scalar = ScalarSource(member.value), !scalar.text.isEmpty else {
            return error(
                member.value.location, "the label '\(member.key)' must be a string or a number",
                "write \(member.key): ${path}")
        }
        guard let template = parse(scalar) else { return }
        let constantText = template.constantText
        var value: String?
        if let constantText { value = constant(constantText, of: member, scalar) }
        let start = constant {
            $0.append(UInt8(ascii: "\""))
            $0.appendJSONText(member.key)
            $0.append(contentsOf: #"":"#.utf8)
            if let value { $0.append(contentsOf: value.utf8) }
        }
        let use = TemplateUse(isJSON: true, isLabel: true)
        let number = constantText == nil ? add(template, from: scalar, use: use) : -1
        plan.labels.append(LabelPlan(start: start, template: number))
        plan.labelOrigins.append(LabelOrigin(name: member.key, location: scalar.location))
    }

    /// A constant value as JSON; nil, with an error, when it is not allowed.
    private mutating func constant(
        _ text: String, of member: MappingMember, _ scalar: ScalarSource
    ) -> String? {
        let json: String
        switch scalar.style == .plain ? PlainScalar.read(text) : .text(text) {
        case .number(let token): json = token
        case .text(let text):
            var bytes: [UInt8] = []
            bytes.appendJSONText(text)
            json = "\"\(String(decoding: bytes, as: UTF8.self))\""
        case .null, .boolean, .ambiguous:
            error(
                scalar.location, "the label '\(member.key)' must be a string or a number",
                "write \(member.key): \"\(text)\" for a string")
            return nil
        }
        let count = json.utf8.count - (json.hasPrefix("\"") ? 2 : 0)
        if count > Mapper.labelByteLimit {
            error(
                scalar.location,
                "the label '\(member.key)' has \(count) bytes; the limit is"
                    + " \(Mapper.labelByteLimit)",
                "write a shorter one")
        }
        return json
    }

    private static func isName(_ text: String) -> Bool {
        (1...64).contains(text.utf8.count)
            && text.allSatisfy { $0.isASCII && ($0.isLetter || $0.isNumber || "-_".contains($0)) }
    }
}
