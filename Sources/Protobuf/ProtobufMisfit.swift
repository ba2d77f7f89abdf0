internal import CProtobuf
internal import JSON

extension ProtobufSchema {
    /// Where a JSON text does not fit a message that libprotobuf cannot read from it, and why; nil
    /// if that is not found.
    func misfit(_ json: [UInt8], of message: ProtobufMessage) -> ProtobufFault? {
        guard let type = unsafe cprotobuf_type_of(pointer, message.index) else { return nil }
        var search = ProtobufMisfit(json: json)
        do throws(ProtobufFault) {
            try unsafe search.run(type)
            return nil
        } catch {
            return error
        }
    }
}

/// Finds the first value of a JSON text that does not fit a message.
///
/// It calls itself for values in values, never deeper than JSON may be nested.
private struct ProtobufMisfit {
    /// The most fields and symbols that are listed.
    private static let listLimit = 30

    let json: [UInt8]
    private var path: [String] = []

    init(json: [UInt8]) { self.json = json }

    mutating func run(_ type: OpaquePointer) throws(ProtobufFault) {
        var tape = JSONTape()
        do throws(JSONError) {
            try tape.read(json)
        } catch {
            throw ProtobufFault(byte: error.offset, message: error.description(of: "it"))
        }
        try unsafe check(0, message: type, tape)
    }

    private mutating func check(
        _ value: Int, message type: OpaquePointer, _ tape: borrowing JSONTape
    ) throws(ProtobufFault) {
        guard tape[value].kind == .object else { throw misfit(value, "an object", tape) }
        let fields = unsafe ProtobufField.all(of: type)
        let children = tape.children(of: value)
        var child = children.first
        while child < children.end {
            let name = tape.text(of: child, in: json) ?? ""
            guard let field = fields.first(where: { $0.isNamed(name) }) else {
                let known = Self.list(fields.map(\.name), ", ")
                throw fault(
                    "the message \(unsafe String(cString: cprotobuf_type_name(type))) has no field"
                        + " '\(name)'; its fields are \(known.isEmpty ? "none" : known)")
            }
            try inside(path.isEmpty ? name : ".\(name)") { search throws(ProtobufFault) in
                try search.check(child + 1, field, tape)
            }
            child = tape.next(after: child + 1)
        }
    }

    private mutating func check(
        _ value: Int, _ field: ProtobufField, _ tape: borrowing JSONTape
    ) throws(ProtobufFault) {
        let kind = tape[value].kind
        guard kind != .null else { return }
        // libprotobuf takes a value that is not an array for the only element of one.
        guard field.isMap || field.isList && kind == .array else {
            return try check(single: value, field, tape)
        }
        guard !field.isMap || kind == .object else { throw misfit(value, "an object", tape) }
        let children = tape.children(of: value)
        var child = children.first
        var index = 0
        while child < children.end {
            let step = field.isMap ? ".\(tape.text(of: child, in: json) ?? "")" : "[\(index)]"
            if field.isMap { child += 1 }
            try inside(step) { search throws(ProtobufFault) in
                try search.check(single: child, field, tape)
            }
            child = tape.next(after: child)
            index += 1
        }
    }

    private mutating func check(
        single value: Int, _ field: ProtobufField, _ tape: borrowing JSONTape
    ) throws(ProtobufFault) {
        guard tape[value].kind != .null else { return }
        if let type = unsafe field.type { return try unsafe check(value, message: type, tape) }
        guard !field.fits(tape[value].kind, content(of: value, tape)) else { return }
        throw misfit(value, field.expectation(Self.list), tape)
    }

    private mutating func inside(
        _ step: String, _ body: (inout Self) throws(ProtobufFault) -> Void
    ) throws(ProtobufFault) {
        path.append(step)
        try body(&self)
        path.removeLast()
    }

    /// The content of a string, or a token.
    private func content(of value: Int, _ tape: borrowing JSONTape) -> String {
        let node = tape[value]
        return tape.text(of: value, in: json)
            ?? String(decoding: json[Int(node.start)..<Int(node.end)], as: UTF8.self)
    }

    private static func list(_ words: [String], _ separator: String) -> String {
        let shown = words.prefix(listLimit).joined(separator: separator)
        return words.count > listLimit ? shown + "\(separator)…" : shown
    }

    private func misfit(
        _ value: Int, _ expectation: String, _ tape: borrowing JSONTape
    ) -> ProtobufFault {
        fault("expected \(expectation), not \(tape.excerpt(of: value, in: json))")
    }

    private func fault(_ message: String) -> ProtobufFault {
        ProtobufFault(path: path.joined(), message: message)
    }
}
