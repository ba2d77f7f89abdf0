import Avro
import Delivery
import JSON
import Protobuf
import Testing

@testable import Mapping

@Suite struct `A record in Protobuf` {
    private static let schema = """
        syntax = "proto3";
        message Unused {}
        message Event {
          string device_token = 1;
          Payload payload = 2;
          message Payload { map<string, string> aps = 1; }
        }
        """

    /// `{"device_token": "ab01", "payload": {"aps": {"alert": "Hi"}}}`
    private static let event: [UInt8] =
        [0x0A, 4] + Array("ab01".utf8) + [0x12, 13, 0x0A, 11, 0x0A, 5] + Array("alert".utf8)
        + [0x12, 2] + Array("Hi".utf8)

    /// The outcome of a record by a plan for canonical events.
    private func map(
        _ value: [UInt8], _ schemas: [SchemaID: KnownSchema]? = nil,
        headers: [ResultRecord.Header] = [], format: MappingSource = "protobuf", idBytes: Int = 4
    ) throws -> (reason: DropReason?, detail: String, token: String) {
        let defaults = MappingDefaults(
            fileName: "orders.yaml", bundleID: "com.example.shop", environment: "production")
        let plan = try #require(
            MappingPlan.compile(
                notification: nil, when: nil, format: format, defaults: defaults, hash: { $0 }
            ).plan)
        var mapper = Mapper(plan: plan)
        mapper.decoder.idBytes = idBytes
        let known = KnownSchema.protobuf(try ProtobufSchema(Array(Self.schema.utf8)))
        for (id, schema) in schemas ?? [.id(7): known, .long(7): known, .guid(1, 2): known] {
            mapper.decoder.learn(id, schema)
        }
        var mapped = MappedRecord()
        mapper.map(
            Record.owning(
                assignment: AssignmentID(0),
                topicPartition: TopicPartition(topic: "t", partition: 0), offset: 7, timestamp: 0,
                value: value, headers: headers), now: 0, into: &mapped)
        let drop = mapped.notifications[0].drop
        return (
            drop?.reason, drop?.detail ?? "",
            String(decoding: mapped.notifications[0].destination.identifier, as: UTF8.self)
        )
    }

    private static let unsigned =
        ": its producer writes the indexes as unsigned numbers: set use.deprecated.format to false"
        + " there"

    @Test(arguments: [[1, 1], [2, 1, 0]] as [[UInt8]])
    func `is told what to do if its indexes make sense as unsigned numbers only`(
        indexes: [UInt8]
    ) throws {
        let content: [UInt8] = indexes.count == 2 ? Self.event : [0x0A, 0]
        let found = try map([0, 0, 0, 0, 7] + indexes + content)
        #expect(found.reason == .unparsable)
        #expect(found.detail.hasSuffix(" at byte 5\(Self.unsigned)"), "\(found.detail)")
    }

    @Test(arguments: [[1, 9], [1, 1, 0xFF], [1], [0x80]] as [[UInt8]])
    func `is told nothing if its indexes make no sense either way`(bytes: [UInt8]) throws {
        let found = try map([0, 0, 0, 0, 7] + bytes)
        #expect(found.reason == .unparsable)
        #expect(!found.detail.contains("unsigned"), "\(found.detail)")
    }

    @Test func `is told that an ID of eight bytes may be one of four`() throws {
        let unknown: [SchemaID: KnownSchema] = [
            .long(7 << 32 | 0x0202_0A04): .unknown, .long(9): .unknown,
        ]
        let four = try map([0, 0, 0, 0, 7, 2, 2] + Self.event, unknown, idBytes: 8)
        #expect(four.reason == .unknownSchema)
        #expect(
            four.detail.hasSuffix(
                ": if Confluent's serializers wrote the record, remove schema_registry.id: 8"),
            "\(four.detail)")
        let eight = try map([0, 0, 0, 0, 0, 0, 0, 0, 9] + Self.event, unknown, idBytes: 8)
        #expect(eight.detail.hasSuffix("the registry does not know schema 9"), "\(eight.detail)")
    }

    @Test(arguments: ["globalId", "contentId"])
    func `is told that a header of Apicurio's serializers is not read`(name: String) throws {
        let headers: [ResultRecord.Header] = [("apicurio.value.\(name)", [0, 0, 0, 0, 0, 0, 0, 7])]
        let hint =
            ": the header apicurio.value.\(name) is not read; write the ID in front of the value,"
            + " with apicurio.registry.headers.enabled: false in the producer"
        for (value, isTold) in [
            (Self.event, true), ([0, 0, 0, 0, 0, 0, 0, 0, 9], true),
            // It does have an ID in front.
            ([0, 0, 0, 0, 0, 0, 0, 0, 7, 0xFF], false),
        ] {
            let known = KnownSchema.protobuf(try ProtobufSchema(Array(Self.schema.utf8)))
            let found = try map(
                value, [.long(7): known, .long(9): .unknown], headers: headers, idBytes: 8)
            #expect(found.reason != nil)
            #expect(found.detail.hasSuffix(hint) == isTold, "\(found.detail)")
        }
    }

    @Test func `is mapped as its JSON, by the indexes in front of it`() throws {
        let found = try map([0, 0, 0, 0, 7, 2, 2] + Self.event)
        #expect(found.reason == nil && found.token == "ab01", "\(found.detail)")
        let cut = try map([0, 0, 0, 0, 7, 2, 2] + Self.event.dropLast(3))
        #expect(cut.reason == .unparsable)
        #expect(
            cut.detail.hasSuffix(
                "the value is not a record of schema 7: payload: it has 13 bytes, but 10 are left"
                    + " at byte 14"), "\(cut.detail)")
        #expect(
            try map([0, 0, 0, 0, 7, 2, 4] + Self.event).detail.hasSuffix(
                "the value is not a record of schema 7: the schema has no message at [2] at byte 5"
            ))
    }

    @Test func `is mapped by the indexes in the header that has its ID`() throws {
        let name = "__value_schema_id"
        for header in [[0, 0, 0, 0, 7], [1] + [0, 0, 0, 0, 0, 0, 0, 1, 0, 0, 0, 0, 0, 0, 0, 2]]
            as [[UInt8]]
        {
            let found = try map(Self.event, headers: [(name, header + [2, 2])])
            #expect(found.reason == nil && found.token == "ab01", "\(found.detail)")
            #expect(
                try map(Self.event, headers: [(name, header)]).detail.hasSuffix(
                    "in the header: the record ends too early"))
        }
    }

    /// What `ProtobufSerializer` of confluent-kafka 2.16.1 writes for `Other.Deep(b="ab01")`.
    @Test func `is read as Confluent's serializer writes it, with the ID in front or in a header`()
        throws
    {
        let schema = KnownSchema.protobuf(
            try ProtobufSchema(
                Array(
                    """
                    syntax = "proto3";
                    message Other { int32 a = 1; message Deep { string device_token = 1; } }
                    message Order { int64 id = 1; message Line { string device_token = 1; } }
                    """.utf8)))
        let message: [UInt8] = [0x0A, 4] + Array("ab01".utf8)
        let guid = SchemaID.guid(0x0011_2233_4455_6677, 0x8899_AABB_CCDD_EEFF)
        let schemas: [SchemaID: KnownSchema] = [.id(258): schema, guid: schema]
        for indexes: [UInt8] in [[4, 0, 0], [4, 2, 0]] {
            let found = try map([0, 0, 0, 1, 2] + indexes + message, schemas)
            #expect(found.token == "ab01", "\(found.detail)")
        }
        let header: [UInt8] =
            [1, 0, 0x11, 0x22, 0x33, 0x44, 0x55, 0x66, 0x77, 0x88, 0x99, 0xAA, 0xBB, 0xCC, 0xDD]
            + [0xEE, 0xFF, 4, 0, 0]
        let found = try map(message, schemas, headers: [("__value_schema_id", header)])
        #expect(found.token == "ab01", "\(found.detail)")
    }

    @Test func `is mapped by the name that Apicurio's serializers write`() throws {
        let reference: [UInt8] = [7, 0x0A, 5] + Array("Event".utf8)
        let found = try map([0, 0, 0, 0, 0, 0, 0, 0, 7] + reference + Self.event, idBytes: 8)
        #expect(found.reason == nil && found.token == "ab01", "\(found.detail)")
    }

    @Test func `is dropped when its ID is of another format`() throws {
        let avro = KnownSchema.avro(try AvroSchema(Array(#""int""#.utf8)))
        let protobuf = KnownSchema.protobuf(try ProtobufSchema(Array(Self.schema.utf8)))
        let event: [UInt8] = [0, 0, 0, 0, 7, 0]
        let found = try map(event, [.id(7): avro])
        #expect(found.reason == .unparsable)
        #expect(
            found.detail.hasSuffix("schema 7 cannot be used: its type is AVRO, not PROTOBUF"))
        #expect(
            try map(event, [.id(7): protobuf], format: "avro").detail.hasSuffix(
                "schema 7 cannot be used: its type is PROTOBUF, not AVRO"))
        let header: [UInt8] = [0, 0, 0, 0, 7, 0]
        #expect(
            try map(
                [0], [.id(7): avro], headers: [("__value_schema_id", header)], format: "avro"
            ).detail.hasSuffix("the header __value_schema_id is not the ID of a schema"))
    }

    @Test func `is too large when its JSON would be`() throws {
        let schema = KnownSchema.protobuf(
            try ProtobufSchema(Array("syntax = \"proto3\"; message M { bytes b = 1; }".utf8)))
        let size = 1 << 20
        let bytes: [UInt8] = [0, 0, 0, 0, 7, 0, 0x0A, 0x80, 0x80, 0x40]
        let found = try map(bytes + [UInt8](repeating: 0, count: size), [.id(7): schema])
        #expect(found.reason == .recordTooLarge, "\(found.detail)")
    }
}
