internal import Delivery
internal import JSON

extension Mapper {
    /// Records an event's values that conditions examine.
    mutating func noteValues(in bytes: RawSpan) {
        let plan = evaluator.plan
        for condition in plan.conditions + plan.blockConditions.flatMap({ $0 }) {
            let isOfValue = condition.isOfValue
            var node = isOfValue ? evaluator.valueRoot : evaluator.root
            for name in condition.path.dropFirst(isOfValue ? 1 : 0)
            where node >= 0 && evaluator.tape[node].kind != .array {
                node = evaluator.tape.member(name, of: node, in: bytes) ?? -1
            }
            guard node >= 0 else {
                noteNearestName(condition, in: bytes)
                continue
            }
            seenValues[condition.path] = MissingValue.preview(
                of: node, on: evaluator.tape, in: bytes)
        }
    }

    /// Records what an event has where a condition looks for a member that is absent.
    private mutating func noteNearestName(_ condition: LoneCondition, in bytes: RawSpan) {
        let isOfValue = condition.isOfValue
        let root = isOfValue ? evaluator.valueRoot : evaluator.root
        guard root >= 0, isOfValue || condition.path.first?.first != "@",
            condition.path.last != "$or"
        else { return }
        let finder = MissingValue(
            steps: condition.path.dropFirst(isOfValue ? 1 : 0).map(JSONPathStep.member),
            field: "when", root: isOfValue ? "@value" : "")
        absentNames[condition.path] = finder.explanation(
            from: root, on: evaluator.tape, in: bytes, default: false)
        if finder.isMisspelled(from: root, on: evaluator.tape, in: bytes) {
            misspelled.insert(condition.path)
        }
    }

    /// Notes the conditions of blocks that a record does not match because of names that it nearly
    /// has.
    mutating func explainBlocks(_ record: borrowing Record) {
        guard !misspelled.isEmpty else { return }
        for conditions in evaluator.plan.blockConditions {
            for condition in conditions
            where misspelled.contains(condition.path) && !holds(condition, record) {
                exampleRemarks.append(
                    ExampleFault(
                        location: condition.location, verdict: "does not match this block",
                        message: Self.message(ofAbsent: condition),
                        hints: absentNames[condition.path] ?? []))
            }
        }
    }

    private static func message(ofAbsent condition: LoneCondition) -> String {
        let name = condition.path.joined(separator: ".")
        return "\(name) is absent, but must match \(condition.wanted)"
    }

    /// Says that a list has no element for its block, and which names in the condition its first
    /// element nearly has.
    mutating func explainEmptyList(_ list: Int, in bytes: RawSpan) {
        let line = listMessage("has no element that matches 'when' of 'for_each'")
        emptyLists.append(line)
        let element = evaluator.tape.children(of: list).first
        let plan = evaluator.plan
        guard plan.elementConditions.indices.contains(evaluator.block),
            evaluator.tape[element].kind == .object
        else { return }
        for condition in plan.elementConditions[evaluator.block]
        where condition.path.last != "$or" && condition.path.first?.first != "@" {
            var finder = MissingValue(
                steps: condition.path.map(JSONPathStep.member), field: "when")
            finder.isOfElement = true
            guard finder.isMisspelled(from: element, on: evaluator.tape, in: bytes) else {
                continue
            }
            let hints = finder.explanation(
                from: element, on: evaluator.tape, in: bytes, default: false)
            explanations[line, default: []] += hints
            exampleRemarks.append(
                ExampleFault(
                    location: condition.location, verdict: "has no element for this block",
                    message: Self.message(ofAbsent: condition), hints: hints))
        }
    }

    /// Finds the conditions that did not hold for a filtered record.
    mutating func explainFilter(_ record: borrowing Record) {
        let plan = evaluator.plan
        filterExplanation = lines(plan.conditions, record)
        guard filterExplanation.isEmpty else { return }
        for conditions in plan.blockConditions {
            filterExplanation += lines(conditions, record)
        }
        filterExplanation += emptyLists
        guard filterExplanation.isEmpty else { return }
        filterExplanation = [
            "each condition matches, but not all of them in the same array element"
        ]
    }

    private mutating func lines(
        _ conditions: [LoneCondition], _ record: borrowing Record
    ) -> [String] {
        var lines: [String] = []
        for condition in conditions where !holds(condition, record) {
            brokenConditions.append(condition)
            let name = condition.path.joined(separator: ".")
            var line = "\(evaluator.plan.prefix(condition.location))\(name)"
            if let value = seenValues[condition.path] {
                line += " is \(value), but"
            } else if condition.path.first?.first != "@" || condition.isOfValue,
                condition.path.last != "$or"
            {
                line += " is absent, but"
            }
            lines.append("\(line) must match \(condition.wanted)")
        }
        return lines
    }

    /// Whether a record satisfies one condition.
    private func holds(_ condition: LoneCondition, _ record: borrowing Record) -> Bool {
        var builder = PlanBuilder(plan: MappingPlan(hash: evaluator.plan.hash))
        builder.plan.format = evaluator.plan.format
        builder.plan.isStrictUnicode = evaluator.plan.isStrictUnicode
        if evaluator.plan.format == .cloudEvents { builder.prepareCloudEvents() }
        let event = evaluator.plan.event
        if evaluator.plan.format == .jsonInside {
            builder.setEvent(event.steps, written: event.written, at: event.location)
        }
        builder.plan.pattern = builder.pattern(condition.pattern)
        builder.compileCanonicalEvent(nil)
        var mapper = Mapper(plan: builder.plan)
        var result = MappedRecord()
        mapper.map(record, now: 0, into: &result)
        return !result.isSkipped
    }
}
