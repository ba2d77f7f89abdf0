/// A writer's schema, compiled into flat arrays that a reader walks without looking at names.
///
/// It never changes, so that workers share it.
public final class AvroSchema: Sendable {
    /// The most bytes of a schema's text, references included.
    public static let byteLimit = 1 << 20

    /// The types; the first one written is at ``root``.
    let nodes: [AvroNode]
    /// The fields of records, each record's in order.
    let fields: [AvroField]
    /// The types of unions, each union's in order.
    let branches: [Int32]
    /// The symbols of enums, each enum's in order, as JSON strings in ``texts``.
    let symbols: [AvroText]
    /// Names and symbols as JSON strings.
    let texts: [UInt8]
    /// The JSON text of fields' defaults, as schemas write them: only for samples, which may leave
    /// such fields out. Records have all their fields.
    let defaults: [Int: [UInt8]]
    /// The type of a whole record.
    let root: Int32

    /// How many bytes of memory it takes.
    public var byteCount: Int {
        nodes.count * MemoryLayout<AvroNode>.stride
            + fields.count * MemoryLayout<AvroField>.stride
            + branches.count * MemoryLayout<Int32>.stride
            + symbols.count * MemoryLayout<AvroText>.stride + texts.count
            + defaults.values.reduce(0) { $0 + $1.count }
    }

    init(_ parts: AvroSchemaParts, root: Int32) {
        nodes = parts.nodes
        fields = parts.fields.map { field in
            var field = field
            field.type = parts.nodes[Int(field.node)]
            return field
        }
        branches = parts.branches
        symbols = parts.symbols
        // Names and symbols are copied sixteen bytes at a time.
        texts = parts.texts + [UInt8](repeating: 0, count: 16)
        defaults = parts.defaults
        self.root = root
    }

    /// The name of a field.
    func name(of field: Int) -> String { content(of: fields[field].text) }

    /// The name of a field, or a symbol, without quotation marks.
    func content(of text: AvroText) -> String {
        String(decoding: texts[Int(text.start) + 1..<Int(text.end) - 1], as: UTF8.self)
    }
}

/// The arrays of a schema while they are filled.
struct AvroSchemaParts {
    var nodes: [AvroNode] = []
    var fields: [AvroField] = []
    var branches: [Int32] = []
    var symbols: [AvroText] = []
    var texts: [UInt8] = []
    var defaults: [Int: [UInt8]] = [:]
}

/// A JSON string in a schema's texts, with its quotation marks; of a field's name, the comma in
/// front of it and the colon behind it are there, too.
struct AvroText: BitwiseCopyable, Sendable {
    var start: Int32
    var end: Int32
    /// True for one that contains a backslash.
    var hasEscapes: Bool

    /// The number of bytes.
    var count: Int { Int(end &- start) }
}

/// A field of a record: its type, and its name.
struct AvroField: BitwiseCopyable, Sendable {
    var node: Int32
    var text: AvroText
    /// The same as at its node.
    var type = AvroNode(kind: .null)
}

/// One type of a schema.
struct AvroNode: BitwiseCopyable, Sendable {
    /// How its bytes are read and written.
    enum Kind: UInt8 {
        case null, boolean, int, long, float, double, bytes, string, fixed
        case record, array, map, union, symbol
        case decimalOfBytes, decimalOfFixed, uuidOfFixed
        case date, timeOfMillis, timeOfMicros
        case millis, micros, nanos, localMillis, localMicros, localNanos
    }

    var kind: Kind
    /// The type of items or values, or the place of the first field, branch or symbol.
    var first: Int32 = 0
    /// How many fields, branches or symbols there are, or the size of a fixed one.
    var count: Int32 = 0
    /// The digits behind the point of a decimal.
    var scale: Int32 = 0
}
