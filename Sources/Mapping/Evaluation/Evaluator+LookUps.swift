internal import JSON

/// Paths with steps that depend on values, as in `texts[device.locale]`.
extension Evaluator {
    /// Where such a path leads; absent when one of its steps leads nowhere.
    mutating func lookUp(
        _ number: Int, _ hole: Int32, in bytes: RawSpan
    ) throws(MappingFault) -> Value {
        let lookUp = plan.lookUps[number]
        guard case .node(var node) = node(lookUp.base, in: bytes) else { return .absent }
        for index in lookUp.steps.range {
            let step = plan.lookUpSteps[index]
            let key = try first(of: step.key, hole: hole, in: bytes)
            spend(nodesIn: node)
            guard workLeft >= 0 else { throw tooExpensive(hole) }
            guard let found = child(key, of: node, in: bytes),
                case .node(let next) = self.node(step.rest, from: found, in: bytes)
            else { return .absent }
            node = next
        }
        return .node(node)
    }

    /// The member of an object that a scalar names, or the element of an array that a number does.
    private mutating func child(_ key: Value, of node: Int, in bytes: RawSpan) -> Int? {
        if case .absent = key { return nil }
        switch (tape[node].kind, shape(of: key)) {
        case (.object, .text), (.object, .number), (.object, .boolean):
            let name = copy(key, in: bytes)
            // The name may be compared with that of each member.
            spend((Int(tape[node].next) - node) / 2 * (name.end - name.start) / 8)
            let found = tape.member(
                scratch, from: name.start, to: name.end, of: node, in: bytes)
            scratch.removeLast(scratch.count - name.start)
            return found
        case (.array, .number):
            guard let index = integer(key, in: bytes) else { return nil }
            return tape.element(at: Int(index), of: node)
        default: return nil
        }
    }

    /// The step that a key stands for, for explanations; nil if it is absent.
    mutating func lookUpStep(_ key: MappingPlan.Run, in bytes: RawSpan) -> JSONPathStep? {
        guard let value = try? first(of: key, hole: -1, in: bytes) else { return nil }
        if case .absent = value { return nil }
        if let index = integer(value, in: bytes), index >= 0 { return .element(Int(index)) }
        let name = copy(value, in: bytes)
        return .member(String(decoding: scratch[name.start..<name.end], as: UTF8.self))
    }
}
