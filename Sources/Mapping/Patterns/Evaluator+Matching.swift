internal import JSON

extension Evaluator {
    /// True when an event matches a pattern.
    mutating func matches(_ pattern: EventPattern?, in bytes: RawSpan) -> Bool {
        guard let pattern else { return true }
        return holds(pattern.root, at: root, in: bytes)
    }

    /// False for a record without a value if `when` has conditions on it that do not hold.
    mutating func matchesTombstone() -> Bool {
        guard plan.examinesValue else { return true }
        root = -1
        valueRoot = -1
        enterEvent()
        return matches(plan.pattern, in: RawSpan())
    }

    /// True when an element of `for_each` matches a pattern.
    mutating func matches(
        _ pattern: EventPattern?, at element: Int, in bytes: RawSpan
    ) -> Bool {
        guard let pattern else { return true }
        return holds(pattern.root, at: element, in: bytes)
    }

    /// All conditions on one object; within an array, on the same element. -1 is not an object.
    private mutating func holds(_ run: MappingPlan.Run, at node: Int, in bytes: RawSpan) -> Bool {
        guard node >= 0, tape[node].kind == .array else {
            return holdsHere(run, at: node, in: bytes)
        }
        let children = tape.children(of: node)
        // An empty array counts as absent.
        if children.first == children.end { return holdsHere(run, at: -1, in: bytes) }
        var element = children.first
        while element < children.end {
            if holds(run, at: element, in: bytes) { return true }
            element = tape.next(after: element)
        }
        return false
    }

    private mutating func holdsHere(
        _ run: MappingPlan.Run, at node: Int, in bytes: RawSpan
    ) -> Bool {
        for index in run.start..<run.end {
            guard holds(condition: Int(index), at: node, in: bytes) else { return false }
        }
        return true
    }

    private mutating func holds(condition: Int, at node: Int, in bytes: RawSpan) -> Bool {
        switch plan.patterns.conditions[condition] {
        case .leaf(let subject, let leaf):
            let value = value(of: subject, at: node, in: bytes)
            return takes(leaf, anyLeafOf: value, in: bytes)
                || leaf.takesAbsence && !hasLeaf(value)
        case .object(.headers, let run), .object(.attributes, let run):
            return holdsHere(run, at: -1, in: bytes)
        case .object(let subject, let run):
            guard case .node(let found) = value(of: subject, at: node, in: bytes) else {
                return holdsHere(run, at: -1, in: bytes)
            }
            return holds(run, at: found, in: bytes)
        case .anyOf(let run):
            for index in run.start..<run.end
            where holds(condition: Int(index), at: node, in: bytes) {
                return true
            }
            return false
        case .allOf(let run): return holdsHere(run, at: node, in: bytes)
        }
    }

    private mutating func value(
        of subject: PatternTable.Subject, at node: Int, in bytes: RawSpan
    ) -> PatternValue {
        switch subject {
        case .member(let path):
            guard node >= 0 else { return .absent }
            let found =
                node == root
                ? location(of: path, in: bytes)
                : tape.find(Int(path), of: plan.paths, from: node, in: bytes)
            return found.map { .node($0) } ?? .absent
        case .value:
            let isObject = valueRoot >= 0 && tape[valueRoot].kind == .object
            return isObject ? .node(valueRoot) : .absent
        case .key: return PatternValue(key)
        case .topic: return PatternValue(topic)
        case .header(let index): return PatternValue(headers[Int(index)])
        case .attribute(let index): return PatternValue(attributes[Int(index)])
        case .partition: return .number(partition)
        case .offset: return .number(offset)
        case .timestamp: return timestamp.map { .number($0) } ?? .absent
        case .headers, .attributes: return .absent
        }
    }

    /// Objects are not leaves, and an empty array counts as absent.
    private mutating func hasLeaf(_ value: PatternValue) -> Bool {
        guard case .node(let node) = value else {
            if case .absent = value { return false }
            return true
        }
        // The array's content follows it on the tape, up to the next value; the content of its
        // objects is not one of its leaves.
        switch tape[node].kind {
        case .object: return false
        case .array:
            let end = tape.next(after: node)
            var inner = node + 1
            while inner < end {
                switch tape[inner].kind {
                case .object: inner = tape.next(after: inner)
                case .array: inner += 1
                default: return true
                }
            }
            return false
        default: return true
        }
    }

    private mutating func takes(
        _ leaf: PatternTable.Leaf, anyLeafOf value: PatternValue, in bytes: RawSpan
    ) -> Bool {
        guard case .node(let node) = value, tape[node].kind == .array else {
            return takes(leaf, value, in: bytes)
        }
        let end = tape.next(after: node)
        var inner = node + 1
        while inner < end {
            switch tape[inner].kind {
            case .object: inner = tape.next(after: inner)
            case .array: inner += 1
            default:
                if takes(leaf, .node(inner), in: bytes) { return true }
                inner += 1
            }
        }
        return false
    }
}

/// A value that a condition examines.
enum PatternValue: BitwiseCopyable {
    case absent
    case node(Int)
    case text(TextPiece)
    case number(Int64)
    /// Metadata that is not valid UTF-8: present, but equal to nothing.
    case unreadable

    init(_ metadata: Metadata) {
        switch metadata {
        case .absent: self = .absent
        case .invalid: self = .unreadable
        case .text(let piece): self = .text(piece)
        }
    }
}
