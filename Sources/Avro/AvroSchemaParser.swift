internal import JSON

extension AvroSchema {
    /// Compiles a schema; `references` are the schemas whose types it names, each after those that
    /// it needs itself.
    public convenience init(
        _ text: [UInt8], references: [[UInt8]] = []
    ) throws(AvroSchemaFault) {
        let size = references.reduce(text.count) { $0 + $1.count }
        guard size <= Self.byteLimit else {
            throw AvroSchemaFault(
                "the schema has \(size) bytes; the limit is \(Self.byteLimit)")
        }
        var parser = AvroSchemaParser()
        for reference in references { _ = try parser.read(reference) }
        let root = try parser.read(text)
        self.init(parser.parts, root: root)
    }
}

/// Reads the JSON text of schemas, one after the other, into one set of arrays.
///
/// It calls itself for types inside types, never deeper than JSON may be nested.
struct AvroSchemaParser {
    var parts = AvroSchemaParts()
    /// The types that have names, by their full names.
    private(set) var named: [String: Int32] = [:]
    /// The full names in the schema that was read last.
    private(set) var mentioned: Set<String> = []
    /// True if defaults of fields are needed: for samples.
    var keepsDefaults = false
    /// The names of earlier schemas that it may define again.
    private var repeatable: Set<String> = []

    /// Reads one schema; its type's index. It may define types again if `mayRepeat`.
    mutating func read(
        _ text: [UInt8], mayRepeat: Bool = false
    ) throws(AvroSchemaFault) -> Int32 {
        mentioned = []
        repeatable = mayRepeat ? Set(named.keys) : []
        let document = try AvroSchemaText(text)
        return try type(0, document, namespace: "")
    }

    /// Reads a type: a name, a union, or an object.
    private mutating func type(
        _ node: Int, _ text: borrowing AvroSchemaText, namespace: String
    ) throws(AvroSchemaFault) -> Int32 {
        switch text.kind(of: node) {
        case .string: return try type(named: text.text(of: node) ?? "", namespace: namespace)
        case .array: return try union(node, text, namespace)
        case .object: return try object(node, text, namespace)
        default: throw AvroSchemaFault("a type is a name, a list or an object")
        }
    }

    private mutating func type(
        named name: String, namespace: String
    ) throws(AvroSchemaFault) -> Int32 {
        if let kind = Self.primitives[name] { return add(AvroNode(kind: kind)) }
        let full = Self.fullName(name, namespace)
        for name in [full, name] {
            guard let found = named[name] else { continue }
            mentioned.insert(name)
            return found
        }
        throw AvroSchemaFault("type '\(full)' is not defined")
    }

    private mutating func union(
        _ node: Int, _ text: borrowing AvroSchemaText, _ namespace: String
    ) throws(AvroSchemaFault) -> Int32 {
        var branches: [Int32] = []
        for branch in text.elements(of: node) {
            branches.append(try type(branch, text, namespace: namespace))
        }
        guard !branches.isEmpty else { throw AvroSchemaFault("a union has no types") }
        let first = Int32(parts.branches.count)
        parts.branches += branches
        return add(AvroNode(kind: .union, first: first, count: Int32(branches.count)))
    }

    private mutating func object(
        _ node: Int, _ text: borrowing AvroSchemaText, _ namespace: String
    ) throws(AvroSchemaFault) -> Int32 {
        guard let type = text.member("type", of: node) else {
            throw AvroSchemaFault("an object in the schema has no 'type'")
        }
        guard let name = text.text(of: type) else {
            return try self.type(type, text, namespace: namespace)
        }
        switch name {
        case "record", "error": return try record(node, text, namespace)
        case "enum": return try symbols(node, text, namespace)
        case "fixed": return try fixed(node, text, namespace)
        case "array", "map":
            let key = name == "array" ? "items" : "values"
            guard let inner = text.member(key, of: node) else {
                throw AvroSchemaFault("type '\(name)' has no '\(key)'")
            }
            let item = try self.type(inner, text, namespace: namespace)
            return add(AvroNode(kind: name == "array" ? .array : .map, first: item))
        default:
            guard let kind = Self.primitives[name] else {
                return try self.type(named: name, namespace: namespace)
            }
            return add(text.logical(node, of: AvroNode(kind: kind)))
        }
    }

    private mutating func record(
        _ node: Int, _ text: borrowing AvroSchemaText, _ namespace: String
    ) throws(AvroSchemaFault) -> Int32 {
        let name = try fullName(of: node, text, namespace)
        let position = try define(name, AvroNode(kind: .record))
        guard let list = text.member("fields", of: node), text.kind(of: list) == .array else {
            throw AvroSchemaFault("record '\(name)' has no 'fields'")
        }
        let space = Self.namespace(of: name)
        var fields: [AvroField] = []
        var defaults: [Int: [UInt8]] = [:]
        var seen: Set<String> = []
        for field in text.elements(of: list) {
            guard let nameNode = text.member("name", of: field),
                let label = text.text(of: nameNode), let type = text.member("type", of: field)
            else { throw AvroSchemaFault("a field of record '\(name)' has no name or no type") }
            guard seen.insert(label).inserted else {
                throw AvroSchemaFault("record '\(name)' has two fields '\(label)'")
            }
            let inner: Int32
            do throws(AvroSchemaFault) {
                inner = try self.type(type, text, namespace: space)
            } catch {
                throw AvroSchemaFault("field '\(label)' of '\(name)': \(error.description)")
            }
            if keepsDefaults, let node = text.member("default", of: field) {
                defaults[fields.count] = text.json(of: node)
            }
            fields.append(AvroField(node: inner, text: add(text: label, isName: true)))
        }
        let first = parts.fields.count
        parts.nodes[Int(position)].first = Int32(first)
        parts.nodes[Int(position)].count = Int32(fields.count)
        parts.fields += fields
        for (index, text) in defaults { parts.defaults[first + index] = text }
        return position
    }

    private mutating func symbols(
        _ node: Int, _ text: borrowing AvroSchemaText, _ namespace: String
    ) throws(AvroSchemaFault) -> Int32 {
        let name = try fullName(of: node, text, namespace)
        guard let list = text.member("symbols", of: node), text.kind(of: list) == .array else {
            throw AvroSchemaFault("enum '\(name)' has no 'symbols'")
        }
        let first = Int32(parts.symbols.count)
        for symbol in text.elements(of: list) {
            guard let symbol = text.text(of: symbol) else {
                throw AvroSchemaFault("a symbol of enum '\(name)' is not a string")
            }
            parts.symbols.append(add(text: symbol, isName: false))
        }
        let count = Int32(parts.symbols.count) - first
        return try define(name, AvroNode(kind: .symbol, first: first, count: count))
    }

    private mutating func fixed(
        _ node: Int, _ text: borrowing AvroSchemaText, _ namespace: String
    ) throws(AvroSchemaFault) -> Int32 {
        let name = try fullName(of: node, text, namespace)
        guard let size = text.integer("size", of: node), size >= 0, size <= Int64(Int32.max) else {
            throw AvroSchemaFault("fixed '\(name)' has no valid 'size'")
        }
        let type = AvroNode(kind: .fixed, count: Int32(size))
        return try define(name, text.logical(node, of: type))
    }
}

// MARK: Names

extension AvroSchemaParser {
    private static let primitives: [String: AvroNode.Kind] = [
        "null": .null, "boolean": .boolean, "int": .int, "long": .long, "float": .float,
        "double": .double, "bytes": .bytes, "string": .string,
    ]

    private mutating func add(_ node: AvroNode) -> Int32 {
        parts.nodes.append(node)
        return Int32(parts.nodes.count - 1)
    }

    private mutating func define(
        _ name: String, _ node: AvroNode
    ) throws(AvroSchemaFault) -> Int32 {
        guard named[name] == nil || repeatable.remove(name) != nil else {
            throw AvroSchemaFault("type '\(name)' is defined twice")
        }
        let position = add(node)
        named[name] = position
        mentioned.insert(name)
        return position
    }

    /// Stores a text as a JSON string, for a name between a comma and a colon.
    private mutating func add(text: String, isName: Bool) -> AvroText {
        if isName { parts.texts.append(UInt8(ascii: ",")) }
        let start = parts.texts.count
        parts.texts.append(UInt8(ascii: "\""))
        parts.texts.appendJSONText(text)
        parts.texts.append(UInt8(ascii: "\""))
        let end = parts.texts.count
        if isName { parts.texts.append(UInt8(ascii: ":")) }
        return AvroText(
            start: Int32(start), end: Int32(end),
            hasEscapes: parts.texts[start...].contains(UInt8(ascii: "\\")))
    }

    /// The full name of a type that is defined: its namespace may stand beside it or in it.
    private func fullName(
        of node: Int, _ text: borrowing AvroSchemaText, _ namespace: String
    ) throws(AvroSchemaFault) -> String {
        guard let member = text.member("name", of: node), let name = text.text(of: member),
            !name.isEmpty
        else { throw AvroSchemaFault("a record, enum or fixed type has no name") }
        let own = text.member("namespace", of: node).flatMap { text.text(of: $0) }
        return Self.fullName(name, own ?? namespace)
    }

    private static func fullName(_ name: String, _ namespace: String) -> String {
        name.utf8.contains(UInt8(ascii: ".")) || namespace.isEmpty ? name : "\(namespace).\(name)"
    }

    private static func namespace(of name: String) -> String {
        guard let dot = name.utf8.lastIndex(of: UInt8(ascii: ".")) else { return "" }
        return String(name[..<dot])
    }
}
