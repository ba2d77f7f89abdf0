internal import CProtobuf
public import JSON

extension ProtobufSchema {
    /// The JSON values that ``ProtobufReader`` writes for messages of the schema, and the messages
    /// that records may be: those of the file's top level that no message of it contains, or else
    /// the first.
    public var shape: (shape: JSONShape, messages: [ProtobufMessage]) {
        var builder = ProtobufShapeBuilder()
        var found: [ProtobufMessage] = []
        while let message = message(at: [Int32(found.count)]),
            let type = unsafe cprotobuf_type_of(pointer, message)
        {
            let node = unsafe builder.node(of: type)
            found.append(
                ProtobufMessage(
                    name: unsafe String(cString: cprotobuf_type_name(type)), node: node,
                    index: message))
        }
        builder.finish()
        let free = found.filter { !builder.contained.contains($0.node) }
        return (builder.shape, free.isEmpty ? Array(found.prefix(1)) : free)
    }
}

/// A message that records may be.
public struct ProtobufMessage: Sendable {
    /// Its full name.
    public let name: String
    /// Its node in the shape of its schema.
    public let node: Int
    /// Where the schema has it.
    let index: Int32
}

/// Turns the messages of a schema into nodes, each once.
@safe private struct ProtobufShapeBuilder {
    var shape = JSONShape()
    /// The nodes of messages that others contain.
    var contained: Set<Int> = []
    private var known: [OpaquePointer: Int]
    private var rest: [(type: OpaquePointer, node: Int)]

    init() {
        unsafe known = [:]
        unsafe rest = []
    }

    /// The node of a message, whose members ``finish()`` adds.
    mutating func node(of type: OpaquePointer) -> Int {
        if let node = unsafe known[type] { return node }
        let node = shape.add(.anything)
        unsafe known[type] = node
        unsafe rest.append((type, node))
        return node
    }

    /// Adds the members of all messages, and the messages in those.
    mutating func finish() {
        while let (type, node) = unsafe rest.popLast() {
            var members: [JSONShape.Member] = []
            for index in 0..<(unsafe cprotobuf_field_count(type)) {
                let field = unsafe cprotobuf_field_at(type, index)
                let name = unsafe String(cString: field.name)
                var value = unsafe self.value(of: field, type, index, in: node)
                if unsafe field.is_map { value = shape.add(.map(value)) }
                if unsafe field.is_list { value = shape.add(.array(value)) }
                members.append(.init(name: name, node: value))
            }
            shape.replace(node, by: .object(members))
        }
    }

    private mutating func value(
        of field: cprotobuf_field, _ type: OpaquePointer, _ index: Int, in node: Int
    ) -> Int {
        switch unsafe field.kind {
        case cprotobuf_null: return shape.add(.null)
        case cprotobuf_boolean: return shape.add(.boolean)
        case cprotobuf_number: return shape.add(.number)
        case cprotobuf_string: return shape.add(.string)
        case cprotobuf_enumeration:
            var words: [String] = []
            while let symbol = unsafe cprotobuf_symbol(type, index, Int32(words.count)) {
                words.append(unsafe String(cString: symbol))
            }
            // A number that has no symbol stays one.
            return shape.add(.anyOf([shape.add(.word(words)), shape.add(.number)]))
        case cprotobuf_object: return shape.add(.map(shape.add(.anything)))
        case cprotobuf_list: return shape.add(.array(shape.add(.anything)))
        default:
            guard let inner = unsafe field.type else { return shape.add(.anything) }
            let found = unsafe self.node(of: inner)
            if found != node { contained.insert(found) }
            return found
        }
    }
}
