internal import Delivery
internal import JSON

extension Mapper {
    mutating func forgetExplanations() {
        notedFaults.removeAll()
        explanations.removeAll()
        fallbacks.removeAll()
        evaluator.cuts.removeAll()
        emptyLists.removeAll()
        unmatchedElements.removeAll()
        seenValues.removeAll()
        absentNames.removeAll()
        brokenConditions.removeAll()
        filterExplanation.removeAll()
        misspelled.removeAll()
        exampleRemarks.removeAll()
        labelFaults.removeAll()
    }

    /// Finds hints on how to fix each fault recorded while an event was mapped.
    mutating func explainFaults(in bytes: RawSpan) {
        noteValues(in: bytes)
        for (detail, noted) in notedFaults {
            let hole = noted.fault.hole
            guard hole >= 0 else { continue }
            if noted.element >= 0 { evaluator.enter(element: noted.element, at: -1) }
            let finders = evaluator.plan.paths(ofHole: hole).compactMap {
                finder($0, noted, in: bytes)
            }
            // The first present value is the one that was used.
            let used = finders.first { finder, start in
                let end = finder.end(from: start, on: evaluator.tape, in: bytes)
                return end.map { evaluator.tape[$0].kind != .null } ?? false
            }
            guard let found = used ?? finders.first else { continue }
            guard found.start >= 0 else {
                explanations[detail] = ["the event has no data"]
                continue
            }
            explanations[detail] = lines(of: noted, found.finder, from: found.start, in: bytes)
        }
        evaluator.leaveElements()
    }

    /// The path of an operand, with the names that it looks up, and where it starts; nil for
    /// metadata.
    private mutating func finder(
        _ operand: MappingPlan.Operand, _ noted: NotedFault, in bytes: RawSpan
    ) -> (finder: MissingValue, start: Int)? {
        let plan = evaluator.plan
        switch operand {
        case .path(let path), .everyElement(let path, _):
            if plan.isOfValue(path) {
                let finder = MissingValue(
                    steps: plan.steps(ofPath: path), field: noted.field, root: "@value")
                return (finder, evaluator.valueRoot)
            }
            if plan.isOfKey(path) {
                let finder = MissingValue(
                    steps: plan.steps(ofPath: path), field: noted.field, root: "@key")
                return (finder, evaluator.keyRoot)
            }
            let isOfElement = plan.isOfElement(path)
            var finder = MissingValue(
                steps: plan.steps(ofPath: path), field: noted.field,
                lead: isOfElement ? [.member(plan.blocks[noted.block].elementName)] : [])
            if noted.element >= 0 { finder.elementName = plan.blocks[noted.block].elementName }
            finder.isCanonical = plan.holeOrigins[Int(noted.fault.hole)].location == nil
            return (finder, isOfElement ? noted.element : evaluator.root)
        case .lookUp(let number):
            let lookUp = plan.lookUps[Int(number)]
            guard var found = finder(.path(lookUp.base), noted, in: bytes) else { return nil }
            found.finder.suggestsNames = false
            for step in plan.lookUpSteps[lookUp.steps.range] {
                guard let key = evaluator.lookUpStep(step.key, in: bytes) else {
                    return finder(plan.operands[Int(step.key.start)], noted, in: bytes)
                }
                found.finder.steps += [key] + plan.paths.steps(of: Int(step.rest))
            }
            return found
        default: return nil
        }
    }

    /// What to say about a fault, whose path begins at a node.
    private func lines(
        of noted: NotedFault, _ finder: MissingValue, from start: Int, in bytes: RawSpan
    ) -> [String]? {
        let path = finder.written(finder.steps)
        let end = finder.end(from: start, on: evaluator.tape, in: bytes)
        let isPresent = end.map { evaluator.tape[$0].kind != .null } ?? false
        switch noted.fault.cause {
        case .absent where isPresent && lacksTokens(noted):
            return end.map {
                let value = MissingValue.preview(of: $0, on: evaluator.tape, in: bytes)
                return ["\(path) is \(value), which contains no device token"]
            }
        case .absent where isPresent:
            return ["\(path) is present, but the transforms after '|' make it absent"]
        case .absent:
            return finder.explanation(
                from: start, on: evaluator.tape, in: bytes,
                default: evaluator.plan.isSinglePath(hole: noted.fault.hole))
        case .invalid(.emptyToken) where isPresent:
            return end.map {
                let value = MissingValue.preview(of: $0, on: evaluator.tape, in: bytes)
                return ["\(path) is \(value), which contains no device token"]
            }
        case .unfit, .refused, .invalid:
            return end.map {
                let value = MissingValue.preview(of: $0, on: evaluator.tape, in: bytes)
                return ["\(path) is \(value)\(timeHint(for: $0, noted, in: bytes))"]
            }
        }
    }

    /// What a number would be that is not a time; empty for anything else.
    private func timeHint(for node: Int, _ noted: NotedFault, in bytes: RawSpan) -> String {
        switch noted.fault.cause {
        case .invalid(.earlyExpiration), .invalid(.expirationRange), .invalid(.earlyEventTime),
            .invalid(.eventTimeRange), .invalid(.timestamp), .invalid(.activityTime):
            var token: [UInt8] = []
            token.appendJSON(of: node, on: evaluator.tape, in: bytes)
            let digits = token.filter { $0 != UInt8(ascii: "\"") }
            return WrittenTime.hint(for: digits).map { ", which is \($0)" } ?? ""
        default: return ""
        }
    }

    /// True for an empty list of device tokens, and for one of nulls.
    private func lacksTokens(_ noted: NotedFault) -> Bool {
        noted.field.hasPrefix("device_token")
            && evaluator.plan.holes[Int(noted.fault.hole)].transforms.isEmpty
    }
}

/// A fault that was reported, kept to be explained.
struct NotedFault {
    var fault: MappingFault
    /// The field being filled.
    var field: String
    /// The element of `for_each` that it is about; -1 for none.
    var element: Int
    /// The block of the notification.
    var block: Int
}

extension MappingPlan {
    /// True for a path into an element of `for_each`.
    func isOfElement(_ path: Int32) -> Bool {
        elementStart >= 0 && paths.begins(Int(path), with: Int(elementStart))
    }

    /// True for a path into the record's whole value.
    func isOfValue(_ path: Int32) -> Bool {
        valueStart >= 0 && paths.begins(Int(path), with: Int(valueStart))
    }

    /// True for a path into the record's key.
    func isOfKey(_ path: Int32) -> Bool {
        keyStart >= 0 && paths.begins(Int(path), with: Int(keyStart))
    }

    /// The steps of a path, from the event, the record's value or key, or an element of `for_each`.
    func steps(ofPath path: Int32) -> [JSONPathStep] {
        let start =
            isOfElement(path)
            ? elementStart : isOfValue(path) ? valueStart : isOfKey(path) ? keyStart : 0
        return paths.steps(of: Int(path), from: Int(start))
    }

    /// A path in template syntax, as in a block.
    func text(ofPath path: Int32, inBlock block: Int) -> String {
        if isOfValue(path) { return MissingValue.text(of: steps(ofPath: path), behind: "@value") }
        if isOfKey(path) { return MissingValue.text(of: steps(ofPath: path), behind: "@key") }
        let lead: [JSONPathStep] = isOfElement(path) ? [.member(blocks[block].elementName)] : []
        return MissingValue.text(of: lead + steps(ofPath: path))
    }

    /// The paths of a hole into the event, in order.
    func paths(ofHole hole: Int32) -> [Operand] {
        operands[holes[Int(hole)].operands.range].filter {
            switch $0 {
            case .path, .everyElement, .lookUp: true
            default: false
            }
        }
    }

    /// A path that looks up values, in template syntax, as in a block.
    func text(ofLookUp number: Int, inBlock block: Int) -> String {
        let lookUp = lookUps[number]
        var text = text(ofPath: lookUp.base, inBlock: block)
        for step in lookUpSteps[lookUp.steps.range] {
            text += "[\(self.text(ofKey: operands[Int(step.key.start)], inBlock: block))]"
            let rest = MissingValue.text(of: paths.steps(of: Int(step.rest)))
            text += rest.isEmpty || rest.hasPrefix("[") ? rest : ".\(rest)"
        }
        return text
    }

    private func text(ofKey operand: Operand, inBlock block: Int) -> String {
        switch operand {
        case .path(let path): text(ofPath: path, inBlock: block)
        case .key: "@key"
        case .topic: "@topic"
        case .partition: "@partition"
        case .offset: "@offset"
        case .timestamp: "@timestamp"
        case .header(let index):
            "@headers." + String(decoding: headers[Int(index)].name, as: UTF8.self)
        case .attribute(let index): "@ce." + attributes[Int(index)].name
        case .everyElement, .lookUp, .text, .number, .boolean: "…"
        }
    }

    /// True for a hole in the file that consists of a single path.
    func isSinglePath(hole: Int32) -> Bool {
        let compiled = holes[Int(hole)]
        guard holeOrigins[Int(hole)].location != nil, compiled.operands.range.count == 1,
            compiled.transforms.isEmpty, case .path = operands[Int(compiled.operands.start)]
        else { return false }
        return true
    }
}
