internal import JSON

extension PlanBuilder {
    private static let examplePathLimit = 10_000

    /// Notes the paths of the example event, to recognize those that were meant as templates.
    mutating func readPaths(ofExample bytes: [UInt8]) {
        var steps = plan.event.steps.first ?? []
        if plan.format == .cloudEvents { steps = [.member("data")] }
        notePaths(of: bytes, below: steps)
    }

    /// Notes the paths below a place in a value, or in the JSON text that is there.
    private mutating func notePaths(of bytes: [UInt8], below steps: [JSONPathStep]) {
        var tape = JSONTape()
        guard bytes.count <= Mapper.eventLimit, (try? tape.read(bytes)) != nil else { return }
        var root: Int?
        bytes.withBytes { span in
            root = MissingValue(steps: steps, field: "event").end(from: 0, on: tape, in: span)
        }
        guard let root else { return }
        if !steps.isEmpty, let inside = tape.text(of: root, in: bytes) {
            return notePaths(of: Array(inside.utf8), below: [])
        }
        notePaths(below: root, [], on: tape, in: bytes)
    }

    private mutating func notePaths(
        below node: Int, _ lead: [JSONPathStep], on tape: borrowing JSONTape, in bytes: [UInt8]
    ) {
        guard examplePaths.count < Self.examplePathLimit else { return }
        if !lead.isEmpty { examplePaths.insert(MissingValue.text(of: lead)) }
        let kind = tape[node].kind
        guard kind == .object || kind == .array else { return }
        let children = tape.children(of: node)
        var child = children.first
        var index = 0
        while child < children.end {
            if kind == .object {
                let value = tape.next(after: child)
                let name = tape.text(of: child, in: bytes) ?? ""
                notePaths(below: value, lead + [.member(name)], on: tape, in: bytes)
                child = tape.next(after: value)
            } else {
                notePaths(below: child, lead + [.element(index)], on: tape, in: bytes)
                child = tape.next(after: child)
            }
            index += 1
        }
    }
}
