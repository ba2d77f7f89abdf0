internal import JSON

extension AvroSchema {
    /// The JSON text of an event as ``AvroReader`` writes it: the text is encoded as a record and
    /// read again.
    ///
    /// It is written as the reader writes it: unions without names, bytes in Base64. Times may be
    /// RFC 3339 or the number that Avro stores. Throws what does not fit, with its path.
    public func sample(_ json: [UInt8]) throws(AvroFault) -> [UInt8] {
        var writer = AvroSampleWriter(schema: self)
        try writer.write(json)
        let result = writer.record.withBytes { bytes -> Result<[UInt8], AvroFault> in
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

    init(schema: AvroSchema) {
        self.schema = schema
        choice = AvroSampleChoice(schema)
    }

    mutating func write(_ json: [UInt8]) throws(AvroFault) {
        self.json = json
        var tape = JSONTape()
        do throws(JSONError) {
            try tape.read(json)
        } catch {
            throw AvroFault(path: "", byte: error.offset, message: error.message)
        }
        try write(0, of: schema.root, tape)
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
        guard let branch = choice.branch(of: union, for: value, json, tape) else {
            throw misfit(value, union, tape)
        }
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
            } else if let branch = schema.nullBranch(of: node) {
                if branch >= 0 { append(long: Int64(branch)) }
            } else {
                throw fault("the field is missing", value, tape)
            }
            path.removeLast()
        }
    }

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
        guard let bytes = scalar?.encoded(as: type, in: schema) else {
            throw misfit(value, type, tape)
        }
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
        let node = tape[value]
        let text = String(decoding: json[Int(node.start)..<Int(node.end)], as: UTF8.self)
        var shown = text.count > 40 ? text.prefix(40) + "…" : text
        if node.kind == .string { shown = "\"\(shown)\"" }
        return fault("expected \(type.expectation(in: schema)), not \(shown)", value, tape)
    }

    private func fault(
        _ message: String, _ value: Int, _ tape: borrowing JSONTape
    ) -> AvroFault {
        AvroFault(path: path.joined(), byte: Int(tape[value].start), message: message)
    }
}
