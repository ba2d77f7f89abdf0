internal import JSON

/// A template that did not find what it asks for first, and gave something else or nothing.
public struct Fallback: Equatable, Sendable {
    /// The hole as it is written, from `${` to `}`.
    public var written: String
    /// Where it is written.
    public var place: MappingPlace
    /// What was asked for in vain, as the template writes it, for example `customer.name`.
    public var absent: [String]
}

extension Mapper {
    /// Notes which templates of the file fall back for an event.
    mutating func findFallbacks(in bytes: RawSpan) {
        let plan = evaluator.plan
        for (index, hole) in plan.holes.enumerated() {
            guard let place = plan.holeOrigins[index].place else { continue }
            var absent: [String] = []
            for number in hole.operands.range {
                guard let name = evaluator.nameIfAbsent(plan.operands[number], in: bytes) else {
                    break
                }
                absent.append(name)
            }
            guard !absent.isEmpty else { continue }
            fallbacks.append(
                Fallback(
                    written: plan.holeOrigins[index].written, place: place, absent: absent))
        }
    }
}

extension Evaluator {
    /// What an operand is called in a template, when it is absent; nil when it is there.
    fileprivate mutating func nameIfAbsent(
        _ operand: MappingPlan.Operand, in bytes: RawSpan
    ) -> String? {
        switch operand {
        case .path(let path):
            guard case .absent = node(path, in: bytes) else { return nil }
            return MissingValue.text(of: plan.paths.steps(of: Int(path)))
        case .everyElement(let array, _):
            guard case .absent = node(array, in: bytes) else { return nil }
            return MissingValue.text(of: plan.paths.steps(of: Int(array))) + "[*]"
        case .key:
            guard case .absent = key else { return nil }
            return "@key"
        case .header(let index):
            guard case .absent = headers[Int(index)] else { return nil }
            return "@headers." + String(decoding: plan.headers[Int(index)], as: UTF8.self)
        case .timestamp: return timestamp == nil ? "@timestamp" : nil
        case .attribute, .text, .number, .boolean, .topic, .partition, .offset: return nil
        }
    }
}
