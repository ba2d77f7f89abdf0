import Avro
import Delivery
import JSON
import Protobuf
import Testing

@testable import Mapping

@Suite struct `A key that is read as events are` {
    private static let notification: MappingSource = [
        "device_token": "${token}", "push_type": "alert", "ttl": "4h",
        "payload": ["aps": ["alert": "${@key.customer.name} ${@key.orders[1] ?? \"none\"}"]],
    ]

    private static let value = #"{"token":"ab01"}"#

    private func plan(
        _ format: MappingSource? = nil, key: MappingSource?, event: MappingSource? = nil,
        _ notification: MappingSource = notification
    ) -> (plan: MappingPlan?, problems: [MappingProblem]) {
        let defaults = MappingDefaults(
            fileName: "orders.yaml", bundleID: "com.example.shop", environment: "production")
        return MappingPlan.compile(
            notification: notification, when: nil, format: format, keyFormat: key, event: event,
            defaults: defaults, hash: { $0 })
    }

    private func record(
        _ key: [UInt8]?, _ value: [UInt8], _ headers: [ResultRecord.Header] = []
    ) -> Record {
        Record.owning(
            assignment: AssignmentID(0), topicPartition: TopicPartition(topic: "t", partition: 0),
            offset: 7, timestamp: 0, key: key, value: value, headers: headers)
    }

    /// The payload that becomes of a record, or why it is dropped.
    private func map(
        _ key: [UInt8]?, _ plan: MappingPlan?, _ schemas: [SchemaID: KnownSchema]? = nil,
        headers: [ResultRecord.Header] = [], value: [UInt8]? = nil
    ) throws -> String {
        var mapper = Mapper(plan: try #require(plan))
        if let schemas {
            mapper.decoder.idBytes = 4
            for (id, schema) in schemas { mapper.decoder.learn(id, schema) }
        }
        var mapped = MappedRecord()
        // Twice, so that leftovers in the buffers show.
        for _ in 0..<2 {
            mapper.map(
                record(key, value ?? Array(Self.value.utf8), headers), now: 0, into: &mapped)
        }
        if let drop = mapped.notifications[0].drop {
            return "\(drop.reason.rawValue): \(drop.detail)"
        }
        return String(decoding: mapped.notifications[0].payload, as: UTF8.self)
    }

    private func text(_ text: String) -> [UInt8] { Array(text.utf8) }

    @Test func `gives its parts to templates beside the event`() throws {
        let key = text(#" {"customer": {"name": "Ana"}, "orders": [1, 2]} "#)
        for frame: [UInt8] in [[], [0, 0, 0, 0, 9], [0xEF, 0xBB, 0xBF]] {
            #expect(
                try map(frame + key, plan(key: "json").plan)
                    == #"{"aps":{"alert":"Ana 2"}}"#)
        }
        let marked: [UInt8] = [0xEF, 0xBB, 0xBF] + text(Self.value)
        #expect(
            try map(key, plan(key: "json").plan, value: marked) == #"{"aps":{"alert":"Ana 2"}}"#)
    }

    @Test func `stays text where it is named alone`() throws {
        var notification = Self.notification
        notification = notification.with([
            "payload": ["aps": ["alert": "${@key} ${@key.a}"]]
        ])
        let plan = plan(key: "json", notification).plan
        #expect(
            try map(text(#"{"a": 1}"#), plan) == #"{"aps":{"alert":"{\"a\": 1} 1"}}"#)
    }

    @Test func `works with events inside of values`() throws {
        let key = text(#"{"customer":{"name":"Ana"}}"#)
        for value in [#"{"e":{"token":"ab01"}}"#, #"{"e":"{\"token\":\"ab01\"}","x":1}"#] {
            #expect(
                try map(key, plan(key: "json", event: "${e}").plan, value: text(value))
                    == #"{"aps":{"alert":"Ana none"}}"#)
            let whole = Self.notification.with([
                "payload": ["aps": ["alert": "${@key.customer.name} ${@value.x ?? 0} ${token}"]]
            ])
            let found = try map(
                key, plan(key: "json", event: "${e}", whole).plan, value: text(value))
            #expect(
                found
                    == (value.contains("x")
                        ? #"{"aps":{"alert":"Ana 1 ab01"}}"#
                        : #"{"aps":{"alert":"Ana 0 ab01"}}"#))
        }
    }

    @Test func `is absent where a record has none, and drops the record where it is none`() throws {
        let plan = plan(key: "json").plan
        let none = try map(nil, plan)
        #expect(none.hasPrefix("missing_field: "), "\(none)")
        #expect(try map(text("[1]"), plan).contains("@key.customer.name"))
        for (key, message) in [
            ("", "the key is empty"), ("{", "the key"), ("1,2", "the key"), ("]", "the key"),
            (#"{"a":1}]"#, "the key"),
        ] {
            let found = try map(text(key), plan)
            #expect(found.hasPrefix("unparsable: ") && found.contains(message), "\(found)")
        }
        let large = text("\"" + String(repeating: "x", count: 1 << 20) + "\"")
        #expect(try map(large, plan).hasPrefix("record_too_large: "))
    }

    private static let avro = #"""
        {"type": "record", "name": "K", "fields": [
          {"name": "customer", "type": {"type": "record", "name": "C", "fields": [
            {"name": "name", "type": "string"}]}}]}
        """#
    private static let protobuf = """
        syntax = "proto3"; message Unused {}
        message K { C customer = 1; } message C { string name = 1; }
        """

    @Test func `has a schema of its own, in front of it or in a header`() throws {
        let schemas: [SchemaID: KnownSchema] = [
            .id(7): .avro(try AvroSchema(text(Self.avro))),
            .id(8): .protobuf(try ProtobufSchema(text(Self.protobuf))),
        ]
        let expected = #"{"aps":{"alert":"Ana none"}}"#
        let inAvro: [UInt8] = [6] + text("Ana")
        let inProtobuf: [UInt8] = [0x0A, 5, 0x0A, 3] + text("Ana")
        #expect(try map([0, 0, 0, 0, 7] + inAvro, plan(key: "avro").plan, schemas) == expected)
        #expect(
            try map([0, 0, 0, 0, 8, 2, 2] + inProtobuf, plan(key: "protobuf").plan, schemas)
                == expected)
        let name = "__key_schema_id"
        #expect(
            try map(
                inAvro, plan(key: "avro").plan, schemas, headers: [(name, [0, 0, 0, 0, 7])])
                == expected)
        #expect(
            try map(
                inProtobuf, plan(key: "protobuf").plan, schemas,
                headers: [(name, [0, 0, 0, 0, 8, 2, 2])]) == expected)
        let wrong = try map([0, 0, 0, 0, 8, 0], plan(key: "avro").plan, schemas)
        #expect(wrong.hasSuffix("schema 8 cannot be used: its type is PROTOBUF, not AVRO"))
        let broken = try map([0, 0, 0, 0, 7, 9], plan(key: "avro").plan, schemas)
        #expect(broken.contains("the key is not a record of schema 7: customer.name: "))
        let none = try map([1], plan(key: "avro").plan, schemas)
        #expect(
            none.hasSuffix(
                "the key does not begin with the ID of a schema, and there is no header"
                    + " __key_schema_id"), "\(none)")
    }

    @Test func `is looked up after its value, and only if a template needs it`() throws {
        let avro = KnownSchema.avro(try AvroSchema(text(Self.avro)))
        let used = Self.notification
        let unused = Self.notification.with(["payload": ["aps": ["alert": "${@key}"]]])
        for (notification, missing) in [(used, SchemaID.id(8)), (unused, nil)] {
            var mapper = Mapper(
                plan: try #require(plan("avro", key: "avro", notification).plan))
            mapper.decoder.idBytes = 4
            let record = record([0, 0, 0, 0, 8, 0], [0, 0, 0, 0, 7, 0])
            #expect(mapper.decoder.missingSchema(of: record) == .id(7))
            #expect(mapper.decoder.schemaID(of: record) == .id(7))
            mapper.decoder.learn(.id(7), avro)
            #expect(mapper.decoder.missingSchema(of: record) == missing)
            #expect(mapper.decoder.schemaID(of: record) == missing ?? .id(7))
            mapper.decoder.learn(.id(8), .unknown)
            #expect(mapper.decoder.missingSchema(of: record) == nil)
            #expect(mapper.decoder.schemaID(of: record) == missing ?? .id(7))
            mapper.decoder.learn(.id(8), avro)
            #expect(mapper.decoder.schemaID(of: record) == .id(7))
        }
    }

    @Test func `is refused where it cannot be`() {
        #expect(
            plan(key: nil).problems.map(\.message)
                == [
                    "'@key' is text: nothing can follow it",
                    "'@key' is text: nothing can follow it",
                ])
        #expect(
            plan("cloudevents", key: "json").problems.map(\.message)
                == ["'key_format' is not valid with CloudEvents"])
        #expect(plan(key: "xml").problems.first?.message == "unknown format of keys")
    }
}
