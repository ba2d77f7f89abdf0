internal import Delivery
internal import JSON
internal import Mapping
internal import TLS

/// A pattern and an event, as an array of two in JSON: compiled, and matched twice.
///
/// Under `$or` next to itself it must match the same, and so must a second, simple matcher.
enum PatternTarget {
    static func run(_ bytes: [UInt8]) {
        var tape = JSONTape()
        let span = bytes.span
        do throws(JSONError) {
            try tape.read(unsafe span.bytes)
        } catch {
            return
        }
        guard tape[0].kind == .array else { return }
        let pattern = 1
        let (_, end) = tape.children(of: 0)
        guard pattern < end, tape[pattern].kind == .object else { return }
        let event = tape.next(after: pattern)
        guard event < end else { return }
        let source = source(pattern, tape, bytes)
        let location = MappingLocation(line: 1, column: 1)
        let twice = MappingSource.list([source, source], location: location)
        let both = MappingSource.map(
            [MappingMember(key: "$or", keyLocation: location, value: twice)], location: location)
        guard let plain = plan(source), let doubled = plan(both) else { return }
        var value: [UInt8] = []
        value.appendJSON(of: event, on: tape, in: unsafe span.bytes)
        let verdict = isSkipped(value, plain)
        precondition(verdict == isSkipped(value, plain), "matched otherwise at the second time")
        precondition(verdict == isSkipped(value, doubled), "$or of it and itself says otherwise")
        guard let reference = ReferencePattern(Tree(pattern, tape, bytes), bytes) else { return }
        let expected = reference.matches(Tree(event, tape, bytes))
        precondition(verdict == !expected, "the reference says \(expected)")
    }

    private static func plan(_ when: MappingSource) -> MappingPlan? {
        MappingPlan.compile(
            notification: nil, when: when,
            defaults: MappingDefaults(fileName: "fuzz.yaml", bundleID: "com.example.shop"),
            hash: { SHA256.hash($0) }
        ).plan
    }

    private static func isSkipped(_ value: [UInt8], _ plan: MappingPlan) -> Bool {
        var mapper = Mapper(plan: plan)
        var mapped = MappedRecord()
        let record = Record.owning(
            assignment: AssignmentID(0), topicPartition: TopicPartition(topic: "t", partition: 0),
            offset: 7, timestamp: nil, key: nil, value: value, headers: [])
        mapper.map(record, now: 0, into: &mapped)
        return mapped.isSkipped
    }

    /// A value of the tape as if it had been written in a connector file.
    private static func source(
        _ node: Int, _ tape: borrowing JSONTape, _ bytes: [UInt8]
    ) -> MappingSource {
        let location = MappingLocation(line: 1, column: node + 1)
        let span = bytes.span
        switch tape[node].kind {
        case .object, .array:
            var members: [MappingMember] = []
            var elements: [MappingSource] = []
            let range = tape.children(of: node)
            var child = range.first
            while child < range.end {
                if tape[node].kind == .array {
                    elements.append(source(child, tape, bytes))
                } else {
                    let key = tape.text(of: child, in: unsafe span.bytes) ?? ""
                    child = tape.next(after: child)
                    if !members.contains(where: { $0.key == key }) {
                        let value = source(child, tape, bytes)
                        members.append(MappingMember(key: key, keyLocation: location, value: value))
                    }
                }
                child = tape.next(after: child)
            }
            return tape[node].kind == .array
                ? .list(elements, location: location) : .map(members, location: location)
        case .string:
            let text = tape.text(of: node, in: unsafe span.bytes) ?? ""
            return .scalar(text: text, style: .quoted, location: location)
        default:
            let range = Int(tape[node].start)..<Int(tape[node].end)
            let text = String(decoding: bytes[range], as: UTF8.self)
            return .scalar(text: text, style: .plain, location: location)
        }
    }
}
