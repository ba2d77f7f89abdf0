internal import JSON

/// The JSON text of a schema.
struct AvroSchemaText: ~Copyable {
    private let bytes: [UInt8]
    private var tape = JSONTape()
    /// The most digits of a decimal that has a scale.
    private static let maxScale: Int64 = 1024

    init(_ bytes: [UInt8]) throws(AvroSchemaFault) {
        self.bytes = bytes
        do throws(JSONError) {
            try tape.read(bytes)
        } catch {
            throw AvroSchemaFault(
                "the schema is not valid JSON: \(error.message)", byte: error.offset)
        }
    }

    func kind(of node: Int) -> JSONKind { tape[node].kind }

    func text(of node: Int) -> String? {
        bytes.withBytes { tape.text(of: node, in: $0) }
    }

    func member(_ name: String, of node: Int) -> Int? {
        bytes.withBytes { tape.member(name, of: node, in: $0) }
    }

    func integer(_ name: String, of node: Int) -> Int64? {
        guard let member = member(name, of: node) else { return nil }
        return bytes.withBytes { tape.integer(of: member, in: $0) }
    }

    /// The JSON text of a value.
    func json(of node: Int) -> [UInt8] {
        let value = tape[node]
        let quotes = value.kind == .string ? 1 : 0
        return [UInt8](bytes[Int(value.start) - quotes..<Int(value.end) + quotes])
    }

    /// The elements of an array.
    func elements(of node: Int) -> [Int] {
        guard tape[node].kind == .array else { return [] }
        var found: [Int] = []
        var (child, end) = tape.children(of: node)
        while child < end {
            found.append(child)
            child = tape.next(after: child)
        }
        return found
    }

    /// The type with its logical type; one that is unknown or does not fit is ignored, as the
    /// specification says.
    func logical(_ node: Int, of type: AvroNode) -> AvroNode {
        guard let member = member("logicalType", of: node), let name = text(of: member) else {
            return type
        }
        var result = type
        switch (name, type.kind) {
        case ("decimal", .bytes), ("decimal", .fixed): return decimal(node, of: type)
        case ("uuid", .fixed) where type.count == 16: result.kind = .uuidOfFixed
        case ("date", .int): result.kind = .date
        case ("time-millis", .int): result.kind = .timeOfMillis
        case ("time-micros", .long): result.kind = .timeOfMicros
        case ("timestamp-millis", .long): result.kind = .millis
        case ("timestamp-micros", .long): result.kind = .micros
        case ("timestamp-nanos", .long): result.kind = .nanos
        case ("local-timestamp-millis", .long): result.kind = .localMillis
        case ("local-timestamp-micros", .long): result.kind = .localMicros
        case ("local-timestamp-nanos", .long): result.kind = .localNanos
        default: break
        }
        return result
    }

    private func decimal(_ node: Int, of type: AvroNode) -> AvroNode {
        let hasScale = member("scale", of: node) != nil
        guard let precision = integer("precision", of: node), precision > 0,
            let scale = hasScale ? integer("scale", of: node) : 0,
            scale >= 0, scale <= min(precision, Self.maxScale)
        else { return type }
        var result = type
        result.kind = type.kind == .bytes ? .decimalOfBytes : .decimalOfFixed
        result.scale = Int32(scale)
        return result
    }
}
