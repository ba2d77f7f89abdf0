internal import JSON

/// Chooses the types of unions that JSON values are written as, before anything is written.
///
/// What is known of an array or object as a type is kept, so that each is examined once as each
/// type, however many unions are around it. It calls itself for values in values, never deeper than
/// JSON may be nested.
struct AvroSampleChoice {
    private struct Pair: Hashable {
        var value: Int32
        var type: Int32
    }

    private let schema: AvroSchema
    private var known: [Pair: Bool] = [:]

    init(_ schema: AvroSchema) { self.schema = schema }

    /// The first branch that a value fits; if it fits none, the one to find its faults by, or nil
    /// when none has values of its kind.
    mutating func branch(
        of union: AvroNode, for value: Int, _ json: [UInt8], _ tape: borrowing JSONTape
    ) -> Int? {
        let kind = tape[value].kind
        let branches = schema.branches[Int(union.first)..<Int(union.first) + Int(union.count)]
        let possible = Array(branches).enumerated().filter {
            schema.nodes[Int($0.element)].mayBe(kind)
        }
        guard possible.count > 1 else { return possible.first?.offset }
        for (branch, type) in possible where fits(value, type, json, tape) { return branch }
        for (branch, type) in possible where hasNames(value, type, json, tape) { return branch }
        return possible.first?.offset
    }

    /// True for a value that is of a type.
    private mutating func fits(
        _ value: Int, _ index: Int32, _ json: [UInt8], _ tape: borrowing JSONTape
    ) -> Bool {
        let type = schema.nodes[Int(index)]
        switch (type.kind, tape[value].kind) {
        case (.record, .object), (.array, .array), (.map, .object), (.union, .object),
            (.union, .array):
            let pair = Pair(value: Int32(value), type: index)
            if let found = known[pair] { return found }
            let result = contentFits(value, type, json, tape)
            known[pair] = result
            return result
        case (.union, _): return contentFits(value, type, json, tape)
        case (.record, _), (.array, _), (.map, _): return false
        default:
            let scalar = AvroSampleScalar(value, tape, in: json)
            return scalar?.encoded(as: type, in: schema) != nil
        }
    }

    private mutating func contentFits(
        _ value: Int, _ type: AvroNode, _ json: [UInt8], _ tape: borrowing JSONTape
    ) -> Bool {
        switch type.kind {
        case .record: return membersFit(value, type, json, tape)
        case .union:
            let range = Int(type.first)..<Int(type.first) + Int(type.count)
            for branch in schema.branches[range] where fits(value, branch, json, tape) {
                return true
            }
            return false
        default:
            // The values of objects are behind their names.
            let skipped = tape[value].kind == .object ? 1 : 0
            let children = tape.children(of: value)
            var child = children.first
            while child < children.end {
                guard fits(child + skipped, type.first, json, tape) else { return false }
                child = tape.next(after: child + skipped)
            }
            return true
        }
    }

    private mutating func membersFit(
        _ value: Int, _ type: AvroNode, _ json: [UInt8], _ tape: borrowing JSONTape
    ) -> Bool {
        let names = schema.names(of: type)
        guard let members = try? tape.members(of: value, named: names, in: json) else {
            return false
        }
        for (index, name) in names.enumerated() {
            let node = schema.fields[Int(type.first) + index].node
            guard let member = members[name] else {
                let hasDefault = schema.defaults[Int(type.first) + index] != nil
                if !hasDefault, schema.nullBranch(of: node) == nil { return false }
                continue
            }
            guard fits(member, node, json, tape) else { return false }
        }
        return true
    }

    /// True for a record with all names of an object.
    private func hasNames(
        _ value: Int, _ index: Int32, _ json: [UInt8], _ tape: borrowing JSONTape
    ) -> Bool {
        let type = schema.nodes[Int(index)]
        guard type.kind == .record, tape[value].kind == .object else { return false }
        return (try? tape.members(of: value, named: schema.names(of: type), in: json)) != nil
    }
}

/// A name in an object that its record does not have.
struct AvroUnknownField: Error {
    var name: String
    /// Its node.
    var node: Int
}

extension JSONTape {
    /// The values of an object's members by their names, which must be among the given ones; of
    /// members with the same name the last one counts.
    func members(
        of value: Int, named names: [String], in json: [UInt8]
    ) throws(AvroUnknownField) -> [String: Int] {
        let known = Set(names)
        var members: [String: Int] = [:]
        let children = children(of: value)
        var child = children.first
        while child < children.end {
            let name = text(of: child, in: json) ?? ""
            guard known.contains(name) else { throw AvroUnknownField(name: name, node: child) }
            members[name] = child + 1
            child = next(after: child + 1)
        }
        return members
    }
}

extension AvroSchema {
    /// The names of a record's fields.
    func names(of record: AvroNode) -> [String] {
        (Int(record.first)..<Int(record.first) + Int(record.count)).map { name(of: $0) }
    }

    /// The branch with null in a union; -1 for null alone, nil if the type has none.
    func nullBranch(of index: Int32) -> Int? {
        let type = nodes[Int(index)]
        if type.kind == .null { return -1 }
        guard type.kind == .union else { return nil }
        return (0..<Int(type.count)).first {
            nodes[Int(branches[Int(type.first) + $0])].kind == .null
        }
    }
}
