internal import JSON

extension Evaluator {
    /// True when an event is what a pattern asks for.
    mutating func matches(_ pattern: EventPattern?, in bytes: RawSpan) -> Bool {
        guard let pattern else { return true }
        return matches(pattern.root, node: root, in: bytes)
    }

    /// All conditions on one object; below an array in the same element. -1 is no object.
    private mutating func matches(
        _ run: MappingPlan.Run, node: Int, in bytes: RawSpan
    ) -> Bool {
        if node >= 0, tape[node].kind == .array {
            let children = tape.children(of: node)
            var element = children.first
            while element < children.end {
                if matches(run, node: element, in: bytes) { return true }
                element = tape.next(after: element)
            }
            return children.first == children.end
                && matches(run, node: -1, in: bytes)
        }
        for index in run.start..<run.end {
            let condition = plan.patterns.conditions[Int(index)]
            guard holds(condition, node: node, in: bytes) else { return false }
        }
        return true
    }

    private mutating func holds(
        _ condition: PatternTable.Condition, node: Int, in bytes: RawSpan
    ) -> Bool {
        var value = Value.absent
        switch condition.subject {
        case .member(let path):
            if node >= 0, let found = tape.find(Int(path), of: plan.paths, from: node, in: bytes) {
                value = .node(found)
            }
        case .key: value = text(key)
        case .topic: value = text(topic)
        case .header(let index): value = text(headers[Int(index)])
        case .headers: break
        }
        guard condition.isLeaf else {
            if case .node(let found) = value {
                return matches(condition.run, node: found, in: bytes)
            }
            return matches(condition.run, node: -1, in: bytes)
        }
        for index in condition.run.start..<condition.run.end {
            let matcher = plan.patterns.matchers[Int(index)]
            if case .exists(let wanted) = matcher {
                if hasLeaf(value) == wanted { return true }
            } else if anyLeaf(value, matches: matcher, in: bytes) {
                return true
            }
        }
        return false
    }

    /// Metadata that is no UTF-8 is there, but equals nothing.
    private func text(_ metadata: Metadata) -> Value {
        switch metadata {
        case .absent: .absent
        case .invalid: .text(TextPiece(isConstant: false, start: 0, end: 0))
        case .text(let piece): .text(piece)
        }
    }

    /// Objects are no leaves, and an empty array is absent.
    private func hasLeaf(_ value: Value) -> Bool {
        switch value {
        case .absent: return false
        case .node(let node):
            switch tape[node].kind {
            case .object: return false
            case .array:
                let children = tape.children(of: node)
                var element = children.first
                while element < children.end {
                    if hasLeaf(.node(element)) { return true }
                    element = tape.next(after: element)
                }
                return false
            default: return true
            }
        default: return true
        }
    }

    private mutating func anyLeaf(
        _ value: Value, matches matcher: PatternTable.Matcher,
        in bytes: RawSpan
    ) -> Bool {
        switch value {
        case .absent: return false
        case .node(let node):
            switch tape[node].kind {
            case .object: return false
            case .array:
                let children = tape.children(of: node)
                var element = children.first
                while element < children.end {
                    if anyLeaf(.node(element), matches: matcher, in: bytes) {
                        return true
                    }
                    element = tape.next(after: element)
                }
                return false
            default: return leaf(value, matches: matcher, in: bytes)
            }
        default: return leaf(value, matches: matcher, in: bytes)
        }
    }

    private mutating func leaf(
        _ value: Value, matches matcher: PatternTable.Matcher,
        in bytes: RawSpan
    ) -> Bool {
        switch matcher {
        case .exists(let wanted): return wanted
        case .anythingBut(let run):
            for index in run.start..<run.end {
                let inner = plan.patterns.matchers[Int(index)]
                if leaf(value, matches: inner, in: bytes) { return false }
            }
            return true
        case .null: return kind(of: value) == .null
        case .boolean(let wanted):
            guard case .node(let node) = value, tape[node].kind == .boolean else { return false }
            return tape.isTrue(node, in: bytes) == wanted
        case .number(let piece): return compare(value, piece, in: bytes) == 0
        case .numeric(let run):
            for index in run.start..<run.end {
                let comparison = plan.patterns.comparisons[Int(index)]
                guard let order = compare(value, comparison.number, in: bytes) else { return false }
                let isTaken =
                    order < 0
                    ? comparison.takesLess
                    : order == 0 ? comparison.takesEqual : comparison.takesGreater
                guard isTaken else { return false }
            }
            return true
        case .text(let piece):
            if case .node(let node) = value {
                return tape.isText(
                    node, plan.constants, from: Int(piece.start), to: Int(piece.end), in: bytes)
            }
            return isEqual(value, piece, .whole, in: bytes)
        case .prefix(let piece): return isEqual(value, piece, .prefix, in: bytes)
        case .suffix(let piece): return isEqual(value, piece, .suffix, in: bytes)
        }
    }

    private func kind(of value: Value) -> JSONKind {
        guard case .node(let node) = value else { return .string }
        return tape[node].kind
    }

    /// Which part of a text is compared.
    private enum Part { case whole, prefix, suffix }

    private mutating func isEqual(
        _ value: Value, _ piece: MappingPlan.Piece, _ part: Part, in bytes: RawSpan
    ) -> Bool {
        guard kind(of: value) == .string else { return false }
        token.removeAll(keepingCapacity: true)
        switch value {
        case .node(let node): token.appendText(of: node, on: tape, in: bytes)
        case .text(let text): token.append(scratch, from: text.start, to: text.end)
        default: return false
        }
        let wanted = Int(piece.end - piece.start)
        guard part == .whole ? token.count == wanted : token.count >= wanted else { return false }
        let start = part == .suffix ? token.count - wanted : 0
        for index in 0..<wanted
        where token[start + index] != plan.constants[Int(piece.start) + index] {
            return false
        }
        return true
    }

    /// Compares a number with one of the pattern's; nil when it is none.
    private mutating func compare(
        _ value: Value, _ piece: MappingPlan.Piece, in bytes: RawSpan
    ) -> Int? {
        guard case .node(let node) = value, tape[node].kind == .number else { return nil }
        token.removeAll(keepingCapacity: true)
        token.appendJSON(of: node, on: tape, in: bytes)
        return JSONNumber.compare(
            token, plan.constants, from: Int(piece.start), to: Int(piece.end))
    }
}
