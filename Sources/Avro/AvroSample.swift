internal import JSON

extension AvroSchema {
    /// The JSON text of an event as ``AvroReader`` writes it: the text is encoded as a record and
    /// read again.
    ///
    /// It is written as the reader writes it: unions without names, bytes in Base64. Times may be
    /// RFC 3339 or the number that Avro stores. Fields with a default, or that may be null, may be
    /// missing. Throws what does not fit, with its path.
    public func sample(_ json: [UInt8]) throws(AvroFault) -> [UInt8] {
        let record = try encoded(json)
        let result = record.withBytes { bytes -> Result<[UInt8], AvroFault> in
            var reader = AvroReader()
            do throws(AvroFault) {
                try reader.read(bytes, by: self)
            } catch {
                return .failure(error)
            }
            return .success(reader.text.copy())
        }
        return try result.get()
    }

    /// The record that the JSON text of an event stands for, without an ID in front.
    public func encoded(_ json: [UInt8]) throws(AvroFault) -> [UInt8] {
        var writer = AvroSampleWriter(schema: self)
        try writer.write(json)
        return writer.record
    }
}

/// Encodes a JSON text as a record of a schema.
///
/// It calls itself for values in values, never deeper than JSON may be nested.
struct AvroSampleWriter {
    let schema: AvroSchema
    private(set) var record: [UInt8] = []
    private var json: [UInt8] = []
    private var path: [String] = []
    private var choice: AvroSampleChoice
    /// Nil while an event is written; for a default, how many others it may still contain.
    private var defaultsLeft: Int?
    private var defaultDepth = 0

    init(schema: AvroSchema) {
        self.schema = schema
        choice = AvroSampleChoice(schema)
    }

    mutating func write(_ json: [UInt8]) throws(AvroFault) {
        try write(json, of: schema.root)
    }

    private mutating func write(_ json: [UInt8], of type: Int32) throws(AvroFault) {
        self.json = json
        var tape = JSONTape()
        do throws(JSONError) {
            try tape.read(json)
        } catch {
            throw AvroFault(path: "", byte: error.offset, message: error.message)
        }
        try write(0, of: type, tape)
    }

    /// Writes a value as a type.
    private mutating func write(
        _ value: Int, of index: Int32, _ tape: borrowing JSONTape
    ) throws(AvroFault) {
        let type = schema.nodes[Int(index)]
        switch (type.kind, tape[value].kind) {
        case (.union, _): try write(value, ofUnion: type, tape)
        case (.record, .object): try write(value, ofRecord: type, tape)
        case (.array, .array): try write(elements: value, of: type, tape)
        case (.map, .object): try write(members: value, of: type, tape)
        case (.record, _), (.array, _), (.map, _): throw misfit(value, type, tape)
        default: try write(scalar: value, type, tape)
        }
    }

    // MARK: What contains others

    private mutating func write(
        _ value: Int, ofUnion union: AvroNode, _ tape: borrowing JSONTape
    ) throws(AvroFault) {
        let found =
            defaultsLeft == nil
            ? choice.branch(of: union, for: value, json, tape)
            : schema.branch(of: union, forDefault: tape[value].kind)
        guard let branch = found else { throw misfit(value, union, tape) }
        append(long: Int64(branch))
        try write(value, of: schema.branches[Int(union.first) + branch], tape)
    }

    private mutating func write(
        _ value: Int, ofRecord type: AvroNode, _ tape: borrowing JSONTape
    ) throws(AvroFault) {
        let names = schema.names(of: type)
        let members: [String: Int]
        do throws(AvroUnknownField) {
            members = try tape.members(of: value, named: names, in: json)
        } catch {
            let known = names.isEmpty ? "none" : names.joined(separator: ", ")
            throw fault(
                "the record has no field '\(error.name)'; its fields are \(known)", error.node,
                tape)
        }
        for (index, name) in names.enumerated() {
            let node = schema.fields[Int(type.first) + index].node
            path.append(path.isEmpty ? name : ".\(name)")
            if let member = members[name] {
                try write(member, of: node, tape)
            } else if let text = schema.defaults[Int(type.first) + index] {
                try write(default: text, of: node, value, tape)
            } else if let branch = schema.nullBranch(of: node) {
                if branch >= 0 { append(long: Int64(branch)) }
            } else {
                throw fault("the field is missing", value, tape)
            }
            path.removeLast()
        }
    }

    /// Writes the default of a field that an object does not have. A default may be an object
    /// without fields that have defaults, and so on.
    private mutating func write(
        default text: [UInt8], of type: Int32, _ value: Int, _ tape: borrowing JSONTape
    ) throws(AvroFault) {
        let left = defaultsLeft ?? Self.defaultLimit
        guard left > 0, defaultDepth < Self.defaultDepthLimit else {
            throw fault("its default contains too many others", value, tape)
        }
        var inner = AvroSampleWriter(schema: schema)
        inner.defaultsLeft = left - 1
        inner.defaultDepth = defaultDepth + 1
        do throws(AvroFault) {
            try inner.write(text, of: type)
        } catch {
            let inside = error.path.isEmpty ? "" : "'\(error.path)': "
            throw fault("its default does not fit: \(inside)\(error.message)", value, tape)
        }
        if defaultsLeft != nil { defaultsLeft = inner.defaultsLeft }
        record += inner.record
    }

    /// The most defaults in the default of one field, and how deep they may be in each other.
    private static let defaultLimit = 4096
    private static let defaultDepthLimit = 32

    private mutating func write(
        elements value: Int, of type: AvroNode, _ tape: borrowing JSONTape
    ) throws(AvroFault) {
        var (child, end) = tape.children(of: value)
        var index = 0
        while child < end {
            append(long: 1)
            path.append("[\(index)]")
            try write(child, of: type.first, tape)
            path.removeLast()
            child = tape.next(after: child)
            index += 1
        }
        end = child
        append(long: 0)
    }

    private mutating func write(
        members value: Int, of type: AvroNode, _ tape: borrowing JSONTape
    ) throws(AvroFault) {
        var (child, end) = tape.children(of: value)
        while child < end {
            append(long: 1)
            let name = tape.text(of: child, in: json) ?? ""
            append(bytes: Array(name.utf8))
            path.append(path.isEmpty ? name : ".\(name)")
            try write(child + 1, of: type.first, tape)
            path.removeLast()
            child = tape.next(after: child + 1)
        }
        end = child
        append(long: 0)
    }

    // MARK: Values

    private mutating func write(
        scalar value: Int, _ type: AvroNode, _ tape: borrowing JSONTape
    ) throws(AvroFault) {
        let scalar = AvroSampleScalar(value, tape, in: json)
        let encoded =
            defaultsLeft == nil
            ? scalar?.encoded(as: type, in: schema) : scalar?.encodedDefault(of: type, in: schema)
        guard let bytes = encoded else { throw misfit(value, type, tape) }
        record += bytes
    }

    private mutating func append(long: Int64) { record.appendLong(long) }

    private mutating func append(bytes: [UInt8]) {
        append(long: Int64(bytes.count))
        record += bytes
    }

    // MARK: Faults

    private func misfit(
        _ value: Int, _ type: AvroNode, _ tape: borrowing JSONTape
    ) -> AvroFault {
        let shown = tape.excerpt(of: value, in: json)
        return fault("expected \(type.expectation(in: schema)), not \(shown)", value, tape)
    }

    private func fault(
        _ message: String, _ value: Int, _ tape: borrowing JSONTape
    ) -> AvroFault {
        AvroFault(path: path.joined(), byte: Int(tape[value].start), message: message)
    }
}
