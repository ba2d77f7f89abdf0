internal import JSON

/// A template whose first operand was absent, so that another one or nothing was used.
public struct Fallback: Equatable, Sendable {
    /// The hole as written, from `${` to `}`.
    public var written: String
    /// Its position in the file.
    public var location: MappingLocation
    /// The absent operands, as written in the template, for example `customer.name`.
    public var absent: [String]
}

extension Mapper {
    /// Records which templates of the file use a fallback for an event; with a block, which of
    /// those that it evaluates for each element do for the current one.
    mutating func findFallbacks(in bytes: RawSpan, ofBlock block: Int? = nil) {
        let plan = evaluator.plan
        for (index, hole) in plan.holes.enumerated()
        where plan.holeOrigins[index].elementBlock == block
            && hole.events.isSuperset(of: evaluator.activityEvent)
        {
            guard let location = plan.holeOrigins[index].location else { continue }
            var absent: [String] = []
            for number in hole.operands.range {
                guard
                    let name = evaluator.nameIfAbsent(
                        plan.operands[number], block: block ?? 0, in: bytes)
                else {
                    break
                }
                absent.append(name)
            }
            guard !absent.isEmpty else { continue }
            let fallback = Fallback(
                written: plan.holeOrigins[index].written, location: location, absent: absent)
            // One element may use the same as another.
            if block == nil || !fallbacks.contains(fallback) { fallbacks.append(fallback) }
        }
    }
}

extension Evaluator {
    /// The name of an operand in a template, if it is absent; nil if it is present.
    fileprivate mutating func nameIfAbsent(
        _ operand: MappingPlan.Operand, block: Int, in bytes: RawSpan
    ) -> String? {
        switch operand {
        case .path(let path):
            guard case .absent = node(path, in: bytes) else { return nil }
            return plan.text(ofPath: path, inBlock: block)
        case .everyElement(let array, _):
            guard case .absent = node(array, in: bytes) else { return nil }
            return plan.text(ofPath: array, inBlock: block) + "[*]"
        case .lookUp(let number):
            let found = try? lookUp(Int(number), -1, in: bytes)
            guard case .absent? = found else { return nil }
            return plan.text(ofLookUp: Int(number), inBlock: block)
        case .key:
            guard case .absent = key else { return nil }
            return "@key"
        case .header(let index):
            guard case .absent = headers[Int(index)] else { return nil }
            return "@headers." + String(decoding: plan.headers[Int(index)].name, as: UTF8.self)
        case .timestamp: return timestamp == nil ? "@timestamp" : nil
        case .attribute, .text, .number, .boolean, .topic, .partition, .offset: return nil
        }
    }
}
