internal import JSON

extension Evaluator {
    /// An array element and the node that a path leads to from it.
    struct FoundElement {
        /// The element itself.
        var element: Int
        /// The node at the end of the path; never null.
        var node: Int
        /// The end of the array.
        var end: Int
    }

    /// The first element of an array from which a path leads to a value.
    mutating func firstElement(of array: Int, _ rest: Int32, in bytes: RawSpan) -> FoundElement? {
        let children = tape.children(of: array)
        return element(from: children.first, to: children.end, rest, in: bytes)
    }

    /// The next such element.
    mutating func element(
        behind found: FoundElement, _ rest: Int32, in bytes: RawSpan
    ) -> FoundElement? {
        element(from: tape.next(after: found.element), to: found.end, rest, in: bytes)
    }

    private mutating func element(
        from start: Int, to end: Int, _ rest: Int32, in bytes: RawSpan
    ) -> FoundElement? {
        var element = start
        while element < end {
            if case .node(let node) = node(rest, from: element, in: bytes) {
                return FoundElement(element: element, node: node, end: end)
            }
            element = tape.next(after: element)
        }
        return nil
    }

    /// The elements joined into one string; null elements are skipped.
    mutating func join(
        _ value: Value, _ separator: MappingPlan.Piece, _ hole: Int32, in bytes: RawSpan
    ) throws(MappingFault) -> Value {
        let start = scratch.count
        var isFirst = true
        switch value {
        case .everyElement(let array, let rest):
            var next = firstElement(of: array, rest, in: bytes)
            while let found = next {
                try append(element: found.node, &isFirst, separator, hole, in: bytes)
                next = element(behind: found, rest, in: bytes)
            }
        case .node(let array) where tape[array].kind == .array:
            let children = tape.children(of: array)
            var element = children.first
            while element < children.end {
                if tape[element].kind != .null {
                    try append(element: element, &isFirst, separator, hole, in: bytes)
                }
                element = tape.next(after: element)
            }
        default: throw refused(value, by: .join, hole)
        }
        return .text(piece(from: start))
    }

    private mutating func append(
        element: Int, _ isFirst: inout Bool, _ separator: MappingPlan.Piece, _ hole: Int32,
        in bytes: RawSpan
    ) throws(MappingFault) {
        let shape = shape(ofNode: element)
        guard shape != .object, shape != .array else {
            throw MappingFault(cause: .invalid(.element), hole: hole)
        }
        guard workLeft >= 0 else { throw tooExpensive(hole) }
        let start = scratch.count
        if !isFirst {
            scratch.append(plan.constants, from: Int(separator.start), to: Int(separator.end))
        }
        isFirst = false
        append(scalar: element, in: bytes)
        spend(scratch.count - start)
    }

    /// The number of graphemes of a string, elements of an array, or members of an object.
    mutating func length(
        _ value: Value, _ hole: Int32, in bytes: RawSpan
    ) throws(MappingFault) -> Value {
        switch value {
        case .everyElement(let array, let rest):
            var count: Int64 = 0
            var next = firstElement(of: array, rest, in: bytes)
            while let found = next {
                count += 1
                next = element(behind: found, rest, in: bytes)
            }
            return .time(count)
        case .node(let node) where tape[node].kind == .array:
            spend(nodesIn: node)
            return .time(Int64(count(node)))
        case .node(let node) where tape[node].kind == .object:
            spend(nodesIn: node)
            return .time(Int64(count(node) / 2))
        default:
            let piece = try text(value, for: .length, hole, in: bytes)
            return .time(Int64(Graphemes.count(scratch, piece.start, piece.end)))
        }
    }
}
