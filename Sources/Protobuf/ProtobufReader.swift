internal import CProtobuf
public import JSON

/// Where a record says which message of its schema it is.
public enum ProtobufLocation: Equatable, Sendable {
    /// In front of the message: its index and those of the messages around it, as Confluent's
    /// serializers write them.
    case indexes
    /// In a header, from an offset on, in the same form.
    case header([UInt8], from: Int)
    /// In front of the message: its name, as Apicurio's serializers write it.
    case name
}

/// Reads messages in Protobuf's binary encoding and writes them as JSON text, by the schema that
/// they were written with.
///
/// Its buffers are reused. Whatever the bytes are, nesting, items, memory and text are bounded.
@safe public struct ProtobufReader: ~Copyable {
    /// The JSON text of the last record.
    public var text = ByteBuffer()
    private var reader: OpaquePointer?
    private let isDirect: Bool
    private var indexes: [Int32] = []

    /// Creates a reader. Unless it is direct, libprotobuf reads every record, also those that could
    /// be written straight from their bytes; both write the same text.
    public init(isDirect: Bool = true) {
        unsafe reader = nil
        self.isDirect = isDirect
    }

    deinit { if let reader = unsafe reader { unsafe cprotobuf_reader_close(reader) } }

    /// Writes the record that begins at an offset and ends with the bytes as JSON text.
    public mutating func read(
        _ bytes: RawSpan, from start: Int = 0, location: ProtobufLocation = .indexes,
        by schema: ProtobufSchema
    ) throws(ProtobufFault) {
        text.removeAll()
        let (message, start) = try find(location, bytes, start, schema)
        try read(bytes, from: start, message: message, by: schema)
    }

    /// Writes a message that begins at an offset as JSON text.
    mutating func read(
        _ bytes: RawSpan, from start: Int = 0, message: Int32, by schema: ProtobufSchema
    ) throws(ProtobufFault) {
        text.removeAll()
        if unsafe reader == nil { unsafe reader = cprotobuf_reader_open(isDirect) }
        guard let reader = unsafe reader else { throw ProtobufFault(message: "out of memory") }
        let isRead = unsafe bytes.withUnsafeBytes { bytes in
            // Memory without bytes may have no address.
            guard let address = bytes.baseAddress else {
                return unsafe cprotobuf_read(reader, schema.pointer, message, [0], 0, 0)
            }
            return unsafe cprotobuf_read(
                reader, schema.pointer, message, address.assumingMemoryBound(to: UInt8.self),
                start, bytes.count)
        }
        guard isRead else { throw unsafe Self.fault(of: reader) }
        var count = 0
        let found = unsafe cprotobuf_text(reader, &count)
        unsafe text.append(UnsafeRawBufferPointer(start: found, count: count).bytes)
    }

    private static func fault(of reader: OpaquePointer) -> ProtobufFault {
        var path: UnsafePointer<CChar>?
        var (byte, isTooLarge) = (Int64(-1), false)
        let message = unsafe String(cString: cprotobuf_fault(reader, &path, &byte, &isTooLarge))
        return ProtobufFault(
            path: unsafe path.map { unsafe String(cString: $0) } ?? "",
            byte: byte >= 0 ? Int(byte) : nil, message: message, isTooLarge: isTooLarge)
    }

    /// Which message a record is, and where it begins.
    private mutating func find(
        _ location: ProtobufLocation, _ bytes: RawSpan, _ start: Int, _ schema: ProtobufSchema
    ) throws(ProtobufFault) -> (message: Int32, start: Int) {
        var cursor = ProtobufCursor(position: start)
        switch location {
        case .indexes:
            do throws(ProtobufFault) {
                return (try message(&cursor, bytes, schema), cursor.position)
            } catch {
                var fault = error
                fault.hint = hint(bytes, start, schema)
                throw fault
            }
        case .header(let header, let offset):
            var inHeader = ProtobufCursor(position: offset)
            do throws(ProtobufFault) {
                let found = try unsafe message(&inHeader, header.span.bytes, schema)
                guard inHeader.position == header.count else {
                    throw ProtobufFault(message: "bytes follow the indexes of the message")
                }
                return (found, start)
            } catch {
                throw ProtobufFault(message: "in the header: \(error.message)")
            }
        case .name:
            let name = try cursor.readName(bytes)
            guard let message = schema.message(named: name) else {
                throw ProtobufFault(
                    byte: start,
                    message: "the schema has no message"
                        + " '\(String(decoding: name.prefix(100), as: UTF8.self))'")
            }
            return (message, cursor.position)
        }
    }

    /// What to do about a record whose indexes make sense as unsigned numbers only: they name a
    /// message, and the rest is one.
    private mutating func hint(
        _ bytes: RawSpan, _ start: Int, _ schema: ProtobufSchema
    ) -> String? {
        var cursor = ProtobufCursor(position: start)
        do throws(ProtobufFault) {
            try cursor.readIndexes(bytes, areSigned: false, into: &indexes)
            guard let message = schema.message(at: indexes) else { return nil }
            try read(bytes, from: cursor.position, message: message, by: schema)
            text.removeAll()
        } catch {
            return nil
        }
        return "its producer writes the indexes as unsigned numbers: set use.deprecated.format to"
            + " false there"
    }

    private mutating func message(
        _ cursor: inout ProtobufCursor, _ bytes: RawSpan, _ schema: ProtobufSchema
    ) throws(ProtobufFault) -> Int32 {
        let start = cursor.position
        try cursor.readIndexes(bytes, into: &indexes)
        guard let message = schema.message(at: indexes) else {
            let written = indexes.map { String($0) }.joined(separator: ", ")
            throw ProtobufFault(
                byte: start, message: "the schema has no message at [\(written)]")
        }
        return message
    }
}
