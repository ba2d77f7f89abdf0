public import Avro
internal import Delivery
internal import JSON
public import Protobuf

/// What names the schema that a record was written with.
public enum SchemaID: Hashable, Sendable, CustomStringConvertible {
    /// The ID in Confluent's wire format, four bytes.
    case id(UInt32)
    /// The GUID in one of Confluent's headers.
    case guid(UInt64, UInt64)
    /// The ID in Apicurio's wire format, eight bytes.
    case long(UInt64)

    /// The ID as registries write it.
    public var description: String {
        switch self {
        case .id(let id): return String(id)
        case .long(let id): return String(id)
        case .guid(let high, let low):
            let digits = Self.digits(high) + Self.digits(low)
            var text = ""
            for (index, digit) in digits.enumerated() {
                if [8, 12, 16, 20].contains(index) { text += "-" }
                text.append(digit)
            }
            return text
        }
    }

    private static func digits(_ value: UInt64) -> String {
        let text = String(value, radix: 16)
        return String(repeating: "0", count: 16 - text.count) + text
    }
}

/// What is known of a schema.
public enum KnownSchema: Sendable {
    /// An Avro schema.
    case avro(AvroSchema)
    /// A Protobuf schema.
    case protobuf(ProtobufSchema)
    /// There is one, but it cannot be used; the text says why.
    case unusable(String)
    /// The registry does not know it.
    case unknown

    /// Why no record can be read with it; nil for a schema.
    public var fault: SchemaFault? {
        switch self {
        case .avro, .protobuf: nil
        case .unusable: .unusable
        case .unknown: .unknown
        }
    }

    /// How many bytes of memory it takes, apart from its ID.
    public var byteCount: Int {
        switch self {
        case .avro(let schema): schema.byteCount
        case .protobuf(let schema): schema.byteCount
        case .unusable(let message): message.utf8.count
        case .unknown: 0
        }
    }
}

/// Why no record can be read with a schema.
public enum SchemaFault: Sendable {
    /// It cannot be used.
    case unusable
    /// The registry does not know it.
    case unknown
}

/// What a look-up of a schema has found out.
public enum SchemaResult: Sendable {
    /// The end of it.
    case found(KnownSchema)
    /// The registry does not answer as one does; the text says what it does. It is asked again.
    case unavailable(String)
    /// The registry does not know the schema yet; the text says for how long. It is asked again.
    case notYet(String)
}

/// Where the ID of a record's schema is, and where its value begins.
struct SchemaFrame {
    var id: SchemaID
    var start: Int
    /// The header, if the ID is there, and where that ends.
    var header: (bytes: [UInt8], end: Int)?

    /// The header that contains a schema's ID, as Confluent's serializers write it.
    static let header: StaticString = "__value_schema_id"
    /// The same for a key.
    static let keyHeader: StaticString = "__key_schema_id"

    /// Reads the frame of a record's value, or of its key. A header wins, and leaves it without a
    /// prefix.
    init(_ record: borrowing Record, idBytes: Int, isKey: Bool = false) throws(SchemaFrameFault) {
        let name = isKey ? Self.keyHeader : Self.header
        if let header = record.copyHeader(name) {
            guard let (id, end) = Self.id(inHeader: header) else {
                throw SchemaFrameFault(Self.message(ofHeader: name))
            }
            self.init(id: id, start: 0)
            self.header = (header, end)
        } else if isKey {
            self = try record.withKey { key throws(SchemaFrameFault) in
                try Self(key, idBytes: idBytes, "key", name)
            }
        } else {
            self = try record.withValue { value throws(SchemaFrameFault) in
                try Self(value, idBytes: idBytes, "value", name)
            }
        }
    }

    /// The schema that the header of a record names; nil without a valid one.
    static func idInHeader(of record: borrowing Record) -> SchemaID? {
        record.copyHeader(Self.header).flatMap { id(inHeader: $0)?.id }
    }

    /// The headers in which Apicurio's serializers write IDs.
    private static let apicurioHeaders: [StaticString] = [
        "apicurio.value.globalId", "apicurio.value.contentId",
    ]
    private static let apicurioKeyHeaders: [StaticString] = [
        "apicurio.key.globalId", "apicurio.key.contentId",
    ]

    /// What to do about a record without a known schema that has one of Apicurio's headers; nil
    /// for others.
    static func apicurioHint(_ record: borrowing Record, isKey: Bool) -> String? {
        let names = isKey ? apicurioKeyHeaders : apicurioHeaders
        for name in names where record.copyHeader(name) != nil {
            return ": the header \(name) is not read; write the ID in front of the"
                + " \(isKey ? "key" : "value"), with apicurio.registry.headers.enabled: false in"
                + " the producer"
        }
        return nil
    }

    /// What to do about records of Confluent's serializers where IDs have eight bytes.
    private static let hintOfFourBytes =
        ": if Confluent's serializers wrote the record, remove schema_registry.id: 8"

    /// What to do about an ID that no registry has; empty if that is not known. Eight bytes of
    /// which the first four are not zero are an ID of four bytes and the beginning of the content.
    static func hint(onUnknown id: SchemaID) -> String {
        guard case .long(let number) = id, number > UInt64(UInt32.max) else { return "" }
        return hintOfFourBytes
    }

    /// What is wrong with a header that does not contain the ID of a schema.
    static func message(ofHeader name: StaticString) -> String {
        "the header \(name) is not the ID of a schema"
    }

    private init(id: SchemaID, start: Int) {
        self.id = id
        self.start = start
    }

    /// Byte 0 and an ID of four bytes, or byte 1 and a GUID of sixteen; the indexes of a message in
    /// Protobuf may follow.
    private static func id(inHeader bytes: [UInt8]) -> (id: SchemaID, end: Int)? {
        switch (bytes.first, bytes.count) {
        case (0, 5...): (.id(UInt32(truncatingIfNeeded: number(bytes[1..<5]))), 5)
        case (1, 17...): (.guid(number(bytes[1..<9]), number(bytes[9..<17])), 17)
        default: nil
        }
    }

    private static func number(_ bytes: ArraySlice<UInt8>) -> UInt64 {
        bytes.reduce(0) { $0 << 8 | UInt64($1) }
    }

    /// The prefix of a value or key: byte 0, and an ID of four or eight bytes.
    private init(
        _ value: RawSpan, idBytes: Int, _ subject: String, _ header: StaticString
    ) throws(SchemaFrameFault) {
        let count = value.byteCount
        guard count > 0 else { throw SchemaFrameFault("the \(subject) is empty") }
        guard value.byte(at: 0) == 0 else {
            let isGlue = count >= 18 && value.byte(at: 0) == 3
            throw SchemaFrameFault(
                isGlue
                    ? "the \(subject) begins like a record of AWS Glue's registry, of which only"
                        + " uncompressed JSON can be read"
                    : "the \(subject) does not begin with the ID of a schema, and there is no"
                        + " header \(header)")
        }
        guard count > idBytes else {
            let isFourBytes = idBytes == 8 && count > 5
            throw SchemaFrameFault(
                "the \(subject) ends within the ID of its schema"
                    + (isFourBytes ? Self.hintOfFourBytes : ""))
        }
        var id: UInt64 = 0
        for index in 1...idBytes { id = id << 8 | UInt64(value.byte(at: index)) }
        guard idBytes == 4 else {
            self.init(id: .long(id), start: 9)
            return
        }
        guard id > 0 || count < 9 else {
            throw SchemaFrameFault(
                "the ID of the schema is 0: if Apicurio's serializers wrote the record, write"
                    + " schema_registry.id: 8")
        }
        self.init(id: .id(UInt32(truncatingIfNeeded: id)), start: 5)
    }
}

/// Why the schema of a record is not known.
struct SchemaFrameFault: Error, Equatable {
    var message: String

    init(_ message: String) { self.message = message }
}
