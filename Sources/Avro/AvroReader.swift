public import JSON

/// Reads records in Avro's binary encoding and writes them as JSON text, by the schema that they
/// were written with.
///
/// Its buffers are reused: once they have grown, a record allocates next to nothing. Whatever the
/// bytes are, nesting, items and text are bounded; types without bytes count as items, too.
public struct AvroReader: ~Copyable {
    /// The deepest nesting of records, arrays and maps: as deep as JSON is read.
    public static let depthLimit = JSONTape.depthLimit
    /// The most items of all arrays and maps of a record.
    public static let itemLimit = 1 << 18
    /// The most bytes of the JSON text.
    public static let textLimit = 1 << 20

    /// The JSON text of the last record.
    public var text = ByteBuffer()
    /// The offset of the next byte.
    var position = 0
    var frames: [AvroFrame] = []
    private var items = 0
    var digits = AvroDecimal()

    /// Creates a reader.
    public init() {}

    /// Writes the record that begins at an offset and ends with the bytes as JSON text.
    public mutating func read(
        _ bytes: RawSpan, from start: Int = 0, by schema: AvroSchema
    ) throws(AvroFault) {
        text.removeAll()
        frames.removeAll(keepingCapacity: true)
        items = 0
        position = start
        do throws(AvroFault) {
            var node = schema.root
            repeat {
                try readValue(of: node, bytes, schema)
                guard let next = try nextNode(bytes, schema) else { break }
                node = next
            } while true
            guard position == bytes.byteCount else {
                throw fault("the record ends, but \(bytes.byteCount - position) bytes follow")
            }
        } catch {
            var error = error
            error.path = path(schema)
            throw error
        }
    }

    /// Reads a whole value, or the beginning of one that contains others.
    private mutating func readValue(
        of node: Int32, _ bytes: RawSpan, _ schema: AvroSchema
    ) throws(AvroFault) {
        var type = schema.nodes[Int(node)]
        while type.kind == .union {
            let start = position
            let branch = try readLong(bytes)
            guard branch >= 0, branch < Int64(type.count) else {
                throw fault("the union has no type \(branch)", at: start)
            }
            type = schema.nodes[Int(schema.branches[Int(type.first) + Int(branch)])]
        }
        switch type.kind {
        case .record:
            try open(.init(type: type, next: type.first, isRecord: true))
            text.append(UInt8(ascii: "{"))
        case .array, .map:
            try open(.init(type: type, next: 0, isRecord: false))
            text.append(type.kind == .array ? UInt8(ascii: "[") : UInt8(ascii: "{"))
        default: try readScalar(type, bytes, schema)
        }
        guard text.count <= Self.textLimit else {
            var fault = fault("its JSON text is longer than \(Self.textLimit) bytes")
            fault.isTooLarge = true
            throw fault
        }
    }

    private mutating func open(_ frame: AvroFrame) throws(AvroFault) {
        guard frames.count < Self.depthLimit else {
            throw fault("nested deeper than \(Self.depthLimit) levels")
        }
        frames.append(frame)
    }

    /// After a value: the type of the next one; nil after the last. Ends what has no more values.
    private mutating func nextNode(
        _ bytes: RawSpan, _ schema: AvroSchema
    ) throws(AvroFault) -> Int32? {
        while let index = frames.indices.last {
            if frames[index].isRecord {
                if let field = frames[index].nextField() {
                    separate()
                    let name = schema.fields[field].text
                    text.append(schema.texts, from: Int(name.start), to: Int(name.end))
                    return schema.fields[field].node
                }
            } else if try nextItem(index, bytes) {
                return frames[index].type.first
            }
            let isArray = frames[index].type.kind == .array
            frames.removeLast()
            text.append(isArray ? UInt8(ascii: "]") : UInt8(ascii: "}"))
        }
        return nil
    }

    /// Begins the next item of an array or map, in this block or the next; false after the last.
    private mutating func nextItem(_ index: Int, _ bytes: RawSpan) throws(AvroFault) -> Bool {
        if frames[index].left == 0 {
            frames[index].left = try readBlockCount(bytes)
            guard frames[index].left > 0 else { return false }
        }
        frames[index].left -= 1
        frames[index].next += 1
        items += 1
        guard items <= Self.itemLimit else { throw fault("more than \(Self.itemLimit) items") }
        separate()
        guard frames[index].type.kind == .map else { return true }
        frames[index].keyStart = text.count + 1
        try readString(bytes)
        frames[index].keyEnd = text.count - 1
        text.append(UInt8(ascii: ":"))
        return true
    }

    /// A negative count is followed by the block's size, so that it can be skipped.
    private mutating func readBlockCount(_ bytes: RawSpan) throws(AvroFault) -> Int {
        let start = position
        let count = try readLong(bytes)
        guard count < 0 else { return Int(count) }
        guard count > .min else { throw fault("a block has too many items", at: start) }
        let size = try readLong(bytes)
        guard size >= 0, size <= Int64(bytes.byteCount - position) else {
            throw fault("a block has \(size) bytes, but \(bytes.byteCount - position) are left")
        }
        return Int(-count)
    }

    /// Writes the comma before a field or item that is not the first one.
    private mutating func separate() {
        switch text.last {
        case UInt8(ascii: "{"), UInt8(ascii: "["): break
        default: text.append(UInt8(ascii: ","))
        }
    }
}

/// A record, array or map that has begun.
struct AvroFrame: BitwiseCopyable {
    var type: AvroNode
    /// The next field of a record; how many items of an array or map have begun.
    var next: Int32
    var isRecord: Bool
    /// How many items are left in the block.
    var left = 0
    /// Where the last key of a map is in the text.
    var keyStart = 0
    var keyEnd = 0

    init(type: AvroNode, next: Int32, isRecord: Bool) {
        self.type = type
        self.next = next
        self.isRecord = isRecord
    }

    mutating func nextField() -> Int? {
        guard next < type.first + type.count else { return nil }
        next += 1
        return Int(next - 1)
    }
}

// MARK: Faults

extension AvroReader {
    func fault(_ message: String, at byte: Int? = nil) -> AvroFault {
        AvroFault(path: "", byte: byte ?? position, message: message)
    }

    /// The path of the value that is being read.
    private func path(_ schema: AvroSchema) -> String {
        var path = ""
        for frame in frames {
            if frame.isRecord, frame.next > frame.type.first {
                path += (path.isEmpty ? "" : ".") + schema.name(of: Int(frame.next) - 1)
            } else if frame.type.kind == .array, frame.next > 0 {
                path += "[\(frame.next - 1)]"
            } else if frame.type.kind == .map, frame.keyEnd > frame.keyStart {
                let key = text.copy(from: frame.keyStart, count: frame.keyEnd - frame.keyStart)
                path += (path.isEmpty ? "" : ".") + String(decoding: key, as: UTF8.self)
            }
        }
        return path
    }
}
