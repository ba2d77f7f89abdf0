internal import Encoding
public import JSON

/// Reads records in Avro's binary encoding and writes them as JSON text, by the schema that they
/// were written with.
///
/// Its buffers are reused: once they have grown, a record allocates next to nothing. Whatever the
/// bytes are, nesting, items and text are bounded; types without bytes count as items, too. It
/// calls itself for values in values.
public struct AvroReader: ~Copyable {
    /// The deepest nesting of records, arrays and maps: as deep as JSON is read.
    public static let depthLimit = JSONTape.depthLimit
    /// The most items of all arrays and maps of a record.
    public static let itemLimit = 1 << 18
    /// The most bytes of the JSON text.
    public static let textLimit = 1 << 20

    /// The JSON text of the last record.
    public var text = ByteBuffer()
    /// The values of that text, as ``JSONTape/read(_:replacesLoneSurrogates:)`` finds them.
    public var tape = JSONTape()
    /// The offset of the next byte.
    var position = 0
    private var depth = 0
    private var items = 0
    /// After a fault, where it is: the innermost step first.
    private var steps: [AvroStep] = []
    var digits = AvroDecimal()
    var times = TimestampWriter()
    var timesOfDay = TimestampWriter()

    /// Creates a reader.
    public init() {}

    /// Writes the record that begins at an offset and ends with the bytes as JSON text.
    public mutating func read(
        _ bytes: RawSpan, from start: Int = 0, by schema: AvroSchema
    ) throws(AvroFault) {
        text.removeAll()
        tape.removeAll()
        items = 0
        depth = 0
        position = start
        do throws(AvroFault) {
            try readValue(schema.nodes[Int(schema.root)], bytes, schema)
            guard position == bytes.byteCount else {
                throw AvroFault(
                    "the record ends, but \(bytes.byteCount - position) bytes follow",
                    at: position)
            }
        } catch {
            tape.removeAll()
            var error = error
            error.path = takePath(schema)
            throw error
        }
    }

    private mutating func readValue(
        _ type: AvroNode, _ bytes: RawSpan, _ schema: AvroSchema
    ) throws(AvroFault) {
        switch type.kind {
        case .record: try readRecord(type, bytes, schema)
        case .array: try readArray(of: schema.nodes[Int(type.first)], bytes, schema)
        case .map: try readMap(of: schema.nodes[Int(type.first)], bytes, schema)
        case .union: try readUnion(type, bytes, schema)
        default:
            try readScalar(type, bytes, schema)
            try checkText()
        }
    }

    private mutating func readUnion(
        _ type: AvroNode, _ bytes: RawSpan, _ schema: AvroSchema
    ) throws(AvroFault) {
        let start = position
        let branch = try readLong(bytes)
        guard branch >= 0, branch < Int64(type.count) else {
            throw AvroFault("the union has no type \(branch)", at: start)
        }
        let node = schema.branches[Int(type.first) + Int(branch)]
        try readValue(schema.nodes[Int(node)], bytes, schema)
    }

    private mutating func readRecord(
        _ type: AvroNode, _ bytes: RawSpan, _ schema: AvroSchema
    ) throws(AvroFault) {
        let node = try open(.object, UInt8(ascii: "{"))
        let fields = Int(type.first)..<Int(type.first) + Int(type.count)
        var index = fields.lowerBound
        while index < fields.upperBound {
            let isNamed = readPlainFields(fields, &index, bytes, schema)
            guard index < fields.upperBound else { break }
            let field = schema.fields[index]
            if !isNamed {
                write(name: field.text, of: schema, isFirst: index == fields.lowerBound)
            }
            do throws(AvroFault) {
                try readValue(field.type, bytes, schema)
            } catch {
                steps.append(.field(index))
                throw error
            }
            index += 1
        }
        close(node, UInt8(ascii: "}"))
    }

    private mutating func readArray(
        of item: AvroNode, _ bytes: RawSpan, _ schema: AvroSchema
    ) throws(AvroFault) {
        let node = try open(.array, UInt8(ascii: "["))
        var begun = 0
        do throws(AvroFault) {
            while case let count = try readBlockCount(bytes), count > 0 {
                for _ in 0..<count {
                    begun += 1
                    try countItem()
                    if begun > 1 { text.append(UInt8(ascii: ",")) }
                    try readValue(item, bytes, schema)
                }
            }
        } catch {
            if begun > 0 { steps.append(.item(begun - 1)) }
            throw error
        }
        close(node, UInt8(ascii: "]"))
    }

    private mutating func readMap(
        of value: AvroNode, _ bytes: RawSpan, _ schema: AvroSchema
    ) throws(AvroFault) {
        let node = try open(.object, UInt8(ascii: "{"))
        var key: (start: Int, end: Int) = (0, 0)
        do throws(AvroFault) {
            while case let count = try readBlockCount(bytes), count > 0 {
                for _ in 0..<count {
                    try countItem()
                    if key.start > 0 { text.append(UInt8(ascii: ",")) }
                    key = (text.count + 1, 0)
                    try readString(bytes)
                    key.end = text.count - 1
                    text.append(UInt8(ascii: ":"))
                    try readValue(value, bytes, schema)
                }
            }
        } catch {
            if key.end > key.start { steps.append(.key(key.start, key.end)) }
            throw error
        }
        close(node, UInt8(ascii: "}"))
    }

    /// A negative count is followed by the block's size, so that it can be skipped.
    private mutating func readBlockCount(_ bytes: RawSpan) throws(AvroFault) -> Int {
        let start = position
        let count = try readLong(bytes)
        guard count < 0 else { return Int(count) }
        guard count > .min else { throw AvroFault("a block has too many items", at: start) }
        let size = try readLong(bytes)
        guard size >= 0, size <= Int64(bytes.byteCount - position) else {
            throw AvroFault(
                "a block has \(size) bytes, but \(bytes.byteCount - position) are left",
                at: position)
        }
        return Int(-count)
    }

    @inline(__always)
    private mutating func open(_ kind: JSONKind, _ bracket: UInt8) throws(AvroFault) -> Int {
        guard depth < Self.depthLimit else {
            throw AvroFault("nested deeper than \(Self.depthLimit) levels", at: position)
        }
        depth += 1
        let node = tape.open(kind, at: text.count)
        text.append(bracket)
        try checkText()
        return node
    }

    @inline(__always)
    private mutating func close(_ node: Int, _ bracket: UInt8) {
        text.append(bracket)
        tape.close(node, at: text.count)
        depth -= 1
    }

    private mutating func countItem() throws(AvroFault) {
        items += 1
        guard items <= Self.itemLimit else {
            throw AvroFault("more than \(Self.itemLimit) items", at: position)
        }
    }

    @inline(__always)
    mutating func checkText() throws(AvroFault) {
        guard text.count <= Self.textLimit else { throw Self.textFault(at: position) }
    }

    @inline(never)
    private static func textFault(at byte: Int) -> AvroFault {
        var fault = AvroFault("its JSON text is longer than \(textLimit) bytes", at: byte)
        fault.isTooLarge = true
        return fault
    }
}

// MARK: Faults

/// A step on the way to a fault.
private enum AvroStep {
    case field(Int)
    case item(Int)
    /// Where the key of a map is in the text.
    case key(Int, Int)
}

extension AvroReader {
    /// The path of the value that a fault is in.
    private mutating func takePath(_ schema: AvroSchema) -> String {
        var path = ""
        for step in steps.reversed() {
            let name: String
            switch step {
            case .field(let field): name = schema.name(of: field)
            case .key(let start, let end):
                name = String(decoding: text.copy(from: start, count: end - start), as: UTF8.self)
            case .item(let index):
                path += "[\(index)]"
                continue
            }
            path += (path.isEmpty ? "" : ".") + name
        }
        steps = []
        return path
    }
}
