internal import Delivery
internal import JSON

extension Mapper {
    mutating func forgetExplanations() {
        notedFaults.removeAll()
        explanations.removeAll()
        fallbacks.removeAll()
        seenValues.removeAll()
        filterExplanation.removeAll()
    }

    /// Finds hints on how to fix each fault recorded while an event was mapped.
    mutating func explainFaults(in bytes: RawSpan) {
        noteValues(in: bytes)
        for (detail, noted) in notedFaults {
            let hole = noted.fault.hole
            guard hole >= 0, let operand = evaluator.plan.firstPath(ofHole: hole) else { continue }
            guard evaluator.root >= 0 else {
                explanations[detail] = ["the event has no data"]
                continue
            }
            let steps = evaluator.plan.paths.steps(of: Int(operand))
            switch noted.fault.cause {
            case .absent where isPresent(operand, in: bytes):
                let path = MissingValue.text(of: steps)
                explanations[detail] = [
                    "\(path) is present, but the transforms after '|' make it absent"
                ]
            case .absent:
                let finder = MissingValue(steps: steps, field: noted.field)
                explanations[detail] = finder.explanation(
                    from: evaluator.root, on: evaluator.tape, in: bytes,
                    default: evaluator.plan.isSinglePath(hole: hole))
            case .unfit, .refused, .invalid:
                guard
                    let node = evaluator.tape.find(
                        Int(operand), of: evaluator.plan.paths, from: evaluator.root, in: bytes)
                else { continue }
                let value = MissingValue.preview(of: node, on: evaluator.tape, in: bytes)
                explanations[detail] = ["\(MissingValue.text(of: steps)) is \(value)"]
            }
        }
    }
}

extension Mapper {
    /// True when a path leads to a value, so that a transform must have made it absent.
    private func isPresent(_ path: Int32, in bytes: RawSpan) -> Bool {
        guard
            let node = evaluator.tape.find(
                Int(path), of: evaluator.plan.paths, from: evaluator.root, in: bytes)
        else { return false }
        return evaluator.tape[node].kind != .null
    }
}

/// A fault that was reported, kept to be explained.
struct NotedFault {
    var fault: MappingFault
    /// The field being filled.
    var field: String
}

extension MappingPlan {
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
