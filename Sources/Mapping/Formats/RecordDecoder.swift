internal import Avro
public import Delivery
internal import JSON
internal import Protobuf


/// What a key is in, from which templates take parts.
enum KeyFormat: String, Sendable {
    case json, avro, protobuf

    /// What its schema is in, if it has one.
    var encoding: SchemaEncoding? {
        switch self {
        case .json: nil
        case .avro: .avro
        case .protobuf: .protobuf
        }
    }
}

/// Turns the value of a record, or its key, into JSON text, by the schema that it was written with.
///
/// It knows the schemas that were added; somebody else looks them up.
public struct RecordDecoder: ~Copyable {
    /// The most schemas that it remembers.
    public static let schemaLimit = 10_000
    /// The most bytes of schemas that it remembers.
    public static let byteLimit = 64 << 20

    /// How many bytes an ID has in front of a value; nil while values are JSON already.
    public var idBytes: Int?
    private var schemas: [SchemaID: KnownSchema] = [:]
    /// The schema of the last record: most have the same.
    private var last: (id: SchemaID, schema: KnownSchema)?
    private var byteCount = 0
    /// What values are in; nil for whatever their schemas are in.
    var encoding: SchemaEncoding?
    /// What keys are in; nil when nothing is taken from them.
    var keyFormat: KeyFormat?
    /// True when only keys have schemas.
    var hasPlainValues = false
    private var reader = AvroReader()
    private var protobuf = ProtobufReader()

    /// What of a record is decoded.
    private enum Subject: String { case value, key }

    /// Creates one for values that are JSON already.
    public init() {}

    /// True when values are not JSON.
    var decodesValues: Bool { idBytes != nil && !hasPlainValues }

    /// True when keys are not JSON.
    var decodesKeys: Bool { idBytes != nil && keyFormat?.encoding != nil }

    /// The schema that a record needs and that is not known; nil when it can be mapped.
    public borrowing func missingSchema(of record: borrowing Record) -> SchemaID? {
        if let id = valueSchemaID(of: record), schemas[id] == nil { return id }
        if let id = keySchemaID(of: record), schemas[id] == nil { return id }
        return nil
    }

    /// The schema of a record, if it has one: that of its key only if it is the one to look up.
    public borrowing func schemaID(of record: borrowing Record) -> SchemaID? {
        let value = valueSchemaID(of: record)
        guard let key = keySchemaID(of: record) else { return value }
        guard let value else { return key }
        let isSettled = knows(value) && !hasFault(value)
        return isSettled && (!knows(key) || hasFault(key)) ? key : value
    }

    private borrowing func valueSchemaID(of record: borrowing Record) -> SchemaID? {
        guard decodesValues else { return nil }
        return idBytes.flatMap { Self.schemaID(of: record, idBytes: $0) }
    }

    private borrowing func keySchemaID(of record: borrowing Record) -> SchemaID? {
        guard decodesKeys, record.hasValue, let idBytes else { return nil }
        return Self.keySchemaID(of: record, idBytes: idBytes)
    }

    /// The schema of a record's key, if it has one, by an ID of so many bytes.
    public static func keySchemaID(of record: borrowing Record, idBytes: Int) -> SchemaID? {
        record.hasKey ? try? SchemaFrame(record, idBytes: idBytes, isKey: true).id : nil
    }

    /// The schema of a record, if it has one, by an ID of so many bytes.
    public static func schemaID(of record: borrowing Record, idBytes: Int) -> SchemaID? {
        guard record.hasValue, let frame = try? SchemaFrame(record, idBytes: idBytes) else {
            return nil
        }
        return frame.id
    }

    /// True for a schema that was added.
    public borrowing func knows(_ id: SchemaID) -> Bool { schemas[id] != nil }

    /// True for a schema that is unknown or cannot be used.
    private borrowing func hasFault(_ id: SchemaID) -> Bool { schemas[id]?.fault != nil }

    /// Remembers a schema.
    public mutating func learn(_ id: SchemaID, _ schema: KnownSchema) {
        byteCount += schema.byteCount - (schemas[id]?.byteCount ?? 0)
        schemas[id] = schema
        last = nil
    }

    /// Forgets all schemas once there are too many. Records that wait for one must not be held
    /// meanwhile.
    public mutating func trim() {
        guard schemas.count > Self.schemaLimit || byteCount > Self.byteLimit else { return }
        schemas = [:]
        last = nil
        byteCount = 0
    }

    private mutating func schema(_ id: SchemaID) -> KnownSchema? {
        if let last, last.id == id { return last.schema }
        guard let schema = schemas[id] else { return nil }
        last = (id, schema)
        return schema
    }

    /// Writes the JSON text of a record's value, and puts its values on a tape; false, and the tape
    /// is as before, if it is to be read.
    mutating func decode(
        _ record: borrowing Record, into text: inout ByteBuffer, _ tape: inout JSONTape
    ) throws(EventFault) -> Bool {
        do throws(EventFault) {
            let frame = try frame(of: record, isKey: false)
            let hasTape = try record.withValue { value throws(EventFault) in
                try decode(value, frame, encoding, .value, into: &text)
            }
            if hasTape { swap(&tape, &reader.tape) }
            return hasTape
        } catch {
            throw Self.explained(error, record, isKey: false)
        }
    }

    /// A fault, with a hint if a header says that the unknown ID may not be one.
    private static func explained(
        _ fault: EventFault, _ record: borrowing Record, isKey: Bool
    ) -> EventFault {
        guard fault.reason == .unknownSchema else { return fault }
        var fault = fault
        fault.message += SchemaFrame.apicurioHint(record, isKey: isKey) ?? ""
        return fault
    }

    /// Writes the JSON text of a record's key.
    mutating func decodeKey(
        _ record: borrowing Record, into text: inout ByteBuffer
    ) throws(EventFault) {
        let encoding = keyFormat?.encoding
        do throws(EventFault) {
            let frame = try frame(of: record, isKey: true)
            try record.withKey { key throws(EventFault) in
                _ = try decode(key, frame, encoding, .key, into: &text)
            }
        } catch {
            throw Self.explained(error, record, isKey: true)
        }
    }

    private mutating func decode(
        _ bytes: RawSpan, _ frame: SchemaFrame, _ encoding: SchemaEncoding?, _ subject: Subject,
        into text: inout ByteBuffer
    ) throws(EventFault) -> Bool {
        let id = frame.id
        switch schema(id) {
        case .avro where encoding == .protobuf:
            throw EventFault(message: "schema \(id) cannot be used: its type is AVRO, not PROTOBUF")
        case .protobuf where encoding == .avro:
            throw EventFault(message: "schema \(id) cannot be used: its type is PROTOBUF, not AVRO")
        case .avro(let schema)?:
            try decode(bytes, frame, schema, subject, into: &text)
            return true
        case .protobuf(let schema)?:
            try decode(bytes, frame, schema, subject, into: &text)
            return false
        case .unusable(let message)?:
            throw EventFault(message: "schema \(id) cannot be used: \(message)")
        case .unknown?:
            throw EventFault(
                message: "the registry does not know schema \(id)"
                    + SchemaFrame.hint(onUnknown: id), reason: .unknownSchema)
        case nil:
            throw EventFault(
                message: "schema \(id) could not be looked up", reason: .unknownSchema)
        }
    }

    private mutating func decode(
        _ bytes: RawSpan, _ frame: SchemaFrame, _ schema: AvroSchema, _ subject: Subject,
        into text: inout ByteBuffer
    ) throws(EventFault) {
        if let header = frame.header, header.end < header.bytes.count {
            let name = subject == .key ? SchemaFrame.keyHeader : SchemaFrame.header
            throw EventFault(message: SchemaFrame.message(ofHeader: name))
        }
        do throws(AvroFault) {
            try reader.read(bytes, from: frame.start, by: schema)
        } catch {
            throw Self.fault(subject, frame.id, error.description, error.isTooLarge)
        }
        swap(&text, &reader.text)
    }

    private mutating func decode(
        _ bytes: RawSpan, _ frame: SchemaFrame, _ schema: ProtobufSchema, _ subject: Subject,
        into text: inout ByteBuffer
    ) throws(EventFault) {
        let location: ProtobufLocation =
            if let header = frame.header {
                .header(header.bytes, from: header.end)
            } else {
                idBytes == 8 ? .name : .indexes
            }
        do throws(ProtobufFault) {
            try protobuf.read(bytes, from: frame.start, location: location, by: schema)
        } catch {
            throw Self.fault(subject, frame.id, error.description, error.isTooLarge)
        }
        swap(&text, &protobuf.text)
    }

    private static func fault(
        _ subject: Subject, _ id: SchemaID, _ message: String, _ isTooLarge: Bool
    ) -> EventFault {
        EventFault(
            message: "the \(subject.rawValue) is not a record of schema \(id): \(message)",
            reason: isTooLarge ? .recordTooLarge : .unparsable)
    }

    private borrowing func frame(
        of record: borrowing Record, isKey: Bool
    ) throws(EventFault) -> SchemaFrame {
        do throws(SchemaFrameFault) {
            return try SchemaFrame(record, idBytes: idBytes ?? 4, isKey: isKey)
        } catch {
            let hint = SchemaFrame.apicurioHint(record, isKey: isKey) ?? ""
            throw EventFault(message: error.message + hint)
        }
    }
}
