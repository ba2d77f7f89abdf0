internal import JSON

/// The elements of the list of `for_each`.
extension Evaluator {
    /// The list of the block, which is an array of the event.
    mutating func list(_ elements: ElementPlan, in bytes: RawSpan) throws(MappingFault) -> Int {
        let value = try value(ofHole: elements.items, in: bytes)
        if case .absent = value { throw MappingFault(cause: .absent, hole: elements.items) }
        guard case .node(let node) = value, tape[node].kind == .array else {
            throw MappingFault(cause: .invalid(.list), hole: elements.items)
        }
        return node
    }

    /// The number of children of a node.
    mutating func count(_ node: Int) -> Int {
        let children = tape.children(of: node)
        var child = children.first
        var count = 0
        while child < children.end {
            count += 1
            child = tape.next(after: child)
        }
        return count
    }

    /// Lets the paths of an element begin at a node.
    mutating func enter(element: Int, at position: Int) {
        self.element = element
        self.position = position
        locations.enter(Int(plan.elementStart), at: element, forgetting: plan.elementPaths)
    }

    /// Forgets the element after the last one.
    mutating func leaveElements() {
        element = -1
        position = -1
    }
}
