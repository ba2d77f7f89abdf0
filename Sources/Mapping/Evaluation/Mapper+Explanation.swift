internal import Delivery
internal import JSON

extension Mapper {
    mutating func forgetExplanations() {
        notedFaults.removeAll()
        explanations.removeAll()
        fallbacks.removeAll()
        emptyLists.removeAll()
        seenValues.removeAll()
        filterExplanation.removeAll()
    }

    /// Finds hints on how to fix each fault recorded while an event was mapped.
    mutating func explainFaults(in bytes: RawSpan) {
        noteValues(in: bytes)
        for (detail, noted) in notedFaults {
            let hole = noted.fault.hole
            guard hole >= 0, let operand = evaluator.plan.firstPath(ofHole: hole) else { continue }
            let isOfElement = evaluator.plan.isOfElement(operand)
            let start = isOfElement ? noted.element : evaluator.root
            guard start >= 0 else {
                explanations[detail] = ["the event has no data"]
                continue
            }
            let finder = MissingValue(
                steps: evaluator.plan.steps(ofPath: operand), field: noted.field,
                lead: isOfElement ? [.member(evaluator.plan.blocks[noted.block].elementName)] : [])
            explanations[detail] = lines(of: noted, finder, from: start, in: bytes)
        }
    }

    /// What to say about a fault, whose path begins at a node.
    private func lines(
        of noted: NotedFault, _ finder: MissingValue, from start: Int, in bytes: RawSpan
    ) -> [String]? {
        let path = MissingValue.text(of: finder.lead + finder.steps)
        let end = finder.end(from: start, on: evaluator.tape, in: bytes)
        let isPresent = end.map { evaluator.tape[$0].kind != .null } ?? false
        switch noted.fault.cause {
        case .absent where isPresent:
            return ["\(path) is present, but the transforms after '|' make it absent"]
        case .absent:
            return finder.explanation(
                from: start, on: evaluator.tape, in: bytes,
                default: evaluator.plan.isSinglePath(hole: noted.fault.hole))
        case .unfit, .refused, .invalid:
            return end.map {
                let value = MissingValue.preview(of: $0, on: evaluator.tape, in: bytes)
                return ["\(path) is \(value)"]
            }
        }
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

    /// The steps of a path, from the event or from an element of `for_each`.
    func steps(ofPath path: Int32) -> [JSONPathStep] {
        paths.steps(of: Int(path), from: isOfElement(path) ? Int(elementStart) : 0)
    }

    /// A path in template syntax, as in a block.
    func text(ofPath path: Int32, inBlock block: Int) -> String {
        let lead: [JSONPathStep] = isOfElement(path) ? [.member(blocks[block].elementName)] : []
        return MissingValue.text(of: lead + steps(ofPath: path))
    }

    /// The first path of a hole into the event; nil when it has none.
    func firstPath(ofHole hole: Int32) -> Int32? {
        for index in holes[Int(hole)].operands.range {
            switch operands[index] {
            case .path(let path): return path
            case .everyElement(let array, _): return array
            default: continue
            }
        }
        return nil
    }

    /// True for a hole in the file that consists of a single path.
    func isSinglePath(hole: Int32) -> Bool {
        let compiled = holes[Int(hole)]
        guard holeOrigins[Int(hole)].place != nil, compiled.operands.range.count == 1,
            compiled.transforms.isEmpty, case .path = operands[Int(compiled.operands.start)]
        else { return false }
        return true
    }
}
