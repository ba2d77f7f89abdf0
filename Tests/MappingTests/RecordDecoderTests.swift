import Avro
import Delivery
import JSON
import Testing

@testable import Mapping

/// A plan for events that contain the fields themselves.
private func canonicalPlan() throws -> MappingPlan {
    let defaults = MappingDefaults(
        fileName: "orders.yaml", bundleID: "com.example.shop", environment: "production")
    return try #require(
        MappingPlan.compile(notification: nil, when: nil, defaults: defaults, hash: { $0 }).plan)
}

@Suite struct `A record with the ID of its schema` {
    /// What is wrong with a record, or its schema and where its value begins.
    private func frame(
        _ value: [UInt8], idBytes: Int = 4, headers: [ResultRecord.Header] = []
    ) -> String {
        do throws(SchemaFrameFault) {
            let frame = try SchemaFrame(record(value, headers), idBytes: idBytes)
            return "\(frame.id) at \(frame.start)"
        } catch {
            return error.message
        }
    }

    private func record(
        _ value: [UInt8]?, _ headers: [ResultRecord.Header] = []
    ) -> Record {
        Record.owning(
            assignment: AssignmentID(0), topicPartition: TopicPartition(topic: "t", partition: 0),
            offset: 7, timestamp: 0, value: value, headers: headers)
    }

    @Test func `has it in front of its value, or in a header, which wins`() {
        let header = "__value_schema_id"
        #expect(frame([0, 0, 0, 1, 2, 9]) == "258 at 5")
        #expect(frame([0, 0, 0, 1, 2]) == "258 at 5")
        #expect(frame([0, 0, 0, 0, 0, 0, 0, 1, 2, 9], idBytes: 8) == "258 at 9")
        #expect(frame([9], headers: [(header, [0, 0, 0, 1, 2])]) == "258 at 0")
        #expect(frame([9], headers: [(header, [0, 0, 0, 1, 2, 4, 0, 2])]) == "258 at 0")
        #expect(frame([0, 0, 0, 0, 7, 9], headers: [(header, [0, 0, 0, 1, 2])]) == "258 at 0")
        #expect(
            frame([9], headers: [(header, [1] + (0..<16).map { UInt8($0 * 17) })])
                == "00112233-4455-6677-8899-aabbccddeeff at 0")
        #expect(
            frame([9], headers: [(header, [1] + [UInt8](repeating: 0, count: 16))])
                == "00000000-0000-0000-0000-000000000000 at 0")
    }

    @Test func `is not readable without it`() {
        let none =
            "the value does not begin with the ID of a schema, and there is no header"
            + " __value_schema_id"
        #expect(frame([]) == "the value is empty")
        #expect(frame([0x7B, 0x7D]) == none)
        #expect(frame([0]) == "the value ends within the ID of its schema")
        #expect(frame([0, 0, 0, 1]) == "the value ends within the ID of its schema")
        #expect(
            frame([0, 0, 0, 0, 1, 2, 3, 4], idBytes: 8)
                == "the value ends within the ID of its schema: if Confluent's serializers wrote"
                + " the record, remove schema_registry.id: 8")
        #expect(
            frame([0, 0, 0, 0, 1], idBytes: 8) == "the value ends within the ID of its schema")
        for header in [[], [0], [0, 1, 2, 3], [1, 2, 3, 4, 5], [2, 0, 0, 0, 1]] as [[UInt8]] {
            #expect(
                frame([0, 0, 0, 0, 1], headers: [("__value_schema_id", header)])
                    == "the header __value_schema_id is not the ID of a schema")
        }
        #expect(
            frame([3, 0] + [UInt8](repeating: 1, count: 16)).hasPrefix(
                "the value begins like a record of AWS Glue's registry"))
        #expect(
            frame([0, 0, 0, 0, 0, 0, 0, 0, 5, 1]).hasSuffix("write schema_registry.id: 8"))
    }

    /// The outcome of a record by a plan for canonical events.
    private func map(
        _ value: [UInt8], _ schemas: [SchemaID: KnownSchema] = [:]
    ) throws -> (reason: DropReason?, detail: String, token: String) {
        let plan = try canonicalPlan()
        var mapper = Mapper(plan: plan)
        mapper.decoder.idBytes = 4
        for (id, schema) in schemas { mapper.decoder.learn(id, schema) }
        var mapped = MappedRecord()
        mapper.map(record(value), now: 0, into: &mapped)
        let drop = mapped.notifications[0].drop
        return (
            drop?.reason, drop?.detail ?? "",
            String(decoding: mapped.notifications[0].destination.identifier, as: UTF8.self)
        )
    }

    private static let schema = #"""
        {"type": "record", "name": "E", "fields": [
          {"name": "device_token", "type": "string"},
          {"name": "payload", "type": {"type": "record", "name": "P", "fields": [
            {"name": "aps", "type": {"type": "map", "values": "string"}}]}}]}
        """#

    @Test func `is mapped as its JSON`() throws {
        let schema = KnownSchema.avro(try AvroSchema(Array(Self.schema.utf8)))
        let event: [UInt8] =
            [0, 0, 0, 0, 7, 8] + Array("ab01".utf8) + [2, 10] + Array("alert".utf8)
            + [4] + Array("Hi".utf8) + [0]
        let found = try map(event, [.id(7): schema])
        #expect(found.reason == nil && found.token == "ab01")
        let cut = try map(Array(event.dropLast(3)), [.id(7): schema])
        #expect(cut.reason == .unparsable)
        #expect(
            cut.detail.hasSuffix(
                "the value is not a record of schema 7: payload.aps.alert: it has 2 bytes, but 0"
                    + " are left at byte 17"), "\(cut.detail)")
    }

    @Test func `is dropped when its schema is unknown, unusable or was not looked up`() throws {
        let event: [UInt8] = [0, 0, 0, 0, 7, 8]
        #expect(try map(event).reason == .unknownSchema)
        #expect(try map(event, [.id(7): .unknown]).reason == .unknownSchema)
        let unusable = try map(event, [.id(7): .unusable("its type is JSON, not AVRO")])
        #expect(unusable.reason == .unparsable)
        #expect(unusable.detail.hasSuffix("schema 7 cannot be used: its type is JSON, not AVRO"))
        #expect(try map([0x7B, 0x7D]).reason == .unparsable)
    }

    @Test func `is too large when its JSON would be`() throws {
        let nulls = KnownSchema.avro(
            try AvroSchema(Array(#"{"type": "array", "items": "null"}"#.utf8)))
        let found = try map([0, 0, 0, 0, 7, 0x80, 0x80, 0x80, 0x01], [.id(7): nulls])
        #expect(found.reason == .recordTooLarge)
    }
}

@Suite struct `JSON behind the prefix of a registry` {
    @Test(arguments: [
        [0, 0, 0, 0, 7], [0, 0, 0, 0, 0, 0, 0, 0, 7],
        [3, 0] + [UInt8](repeating: 0xAA, count: 16),
    ] as [[UInt8]])
    func `is read, whichever of the three it is`(prefix: [UInt8]) throws {
        let plan = try canonicalPlan()
        var mapper = Mapper(plan: plan)
        var mapped = MappedRecord()
        let event = Array(#"{"device_token":"ab01","payload":{"aps":{"alert":"Hi"}}}"#.utf8)
        mapper.map(
            Record.owning(
                assignment: AssignmentID(0),
                topicPartition: TopicPartition(topic: "t", partition: 0), offset: 7, timestamp: 0,
                value: prefix + event), now: 0, into: &mapped)
        #expect(mapped.notifications[0].drop == nil)
    }
}
