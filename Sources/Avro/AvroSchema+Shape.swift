public import JSON

extension AvroSchema {
    /// The JSON values that ``AvroReader`` writes for records of the schema, and the node of a
    /// whole record.
    public var shape: (shape: JSONShape, root: Int) {
        var shape = JSONShape()
        for node in nodes { _ = shape.add(self.node(node)) }
        return (shape, Int(root))
    }

    private func node(_ node: AvroNode) -> JSONShape.Node {
        let range = Int(node.first)..<Int(node.first) + Int(node.count)
        return switch node.kind {
        case .null: .null
        case .boolean: .boolean
        case .int, .long, .float, .double, .decimalOfBytes, .decimalOfFixed: .number
        case .bytes, .string, .fixed, .uuidOfFixed, .date, .timeOfMillis, .timeOfMicros: .string
        case .millis, .micros, .nanos, .localMillis, .localMicros, .localNanos: .string
        case .record:
            .object(range.map { .init(name: name(of: $0), node: Int(fields[$0].node)) })
        case .array: .array(Int(node.first))
        case .map: .map(Int(node.first))
        case .union: .anyOf(branches[range].map { Int($0) })
        case .symbol: .word(symbols[range].map { content(of: $0) })
        }
    }
}
