import Delivery
import Foundation
import Mapping
import Testing

@Suite struct `A value that a schema registry's client has written` {
    private func detail(_ value: [UInt8]) throws -> String {
        let drop = try mapped(TestRecord(value), minimal).notifications[0].drop
        return try #require(drop?.detail.components(separatedBy: "orders.yaml: ").last)
    }

    @Test func `is named for what it is, with its schema`() throws {
        let content: [UInt8] = [2, 104, 105]
        #expect(
            try detail([0, 0, 0, 0, 7] + content)
                == "the value is not JSON: it looks like Avro or Protobuf, schema 7 of a registry:"
                + " set source.format to avro or protobuf, and schema_registry")
        #expect(
            try detail([0, 0, 0, 0, 0, 0, 0, 1, 2] + content)
                == "the value is not JSON: it looks like Avro or Protobuf, schema 258 of an"
                + " Apicurio registry: set source.format to avro or protobuf, and"
                + " schema_registry")
        let glue: [UInt8] = [3, 0] + Array(repeating: 0xAB, count: 16)
        #expect(
            try detail(glue + content)
                == "the value is not JSON: it looks like a record of AWS Glue's schema registry,"
                + " whose Avro, Protobuf and compressed JSON are not read")
    }

    @Test func `is named by the header that has its schema`() throws {
        let content: [UInt8] = [2, 104, 105]
        for (bytes, id): ([UInt8], String) in [
            ([1] + Array(1...16), "01020304-0506-0708-090a-0b0c0d0e0f10"), ([0, 0, 0, 0, 7], "7"),
        ] {
            let record = TestRecord(content)
            record.headers = [("__value_schema_id", bytes)]
            let drop = try #require(try mapped(record, minimal).notifications[0].drop)
            #expect(drop.reason == .unparsable)
            #expect(
                drop.detail
                    == "connectors/orders.yaml: the value is not JSON: it looks like Avro or"
                    + " Protobuf, whose schema \(id) of a registry is in the header"
                    + " __value_schema_id: set source.format to avro or protobuf, and"
                    + " schema_registry")
            let json = TestRecord(json: #"{"token":"ab"}"#)
            json.headers = record.headers
            #expect(try mapped(json, minimal).notifications[0].drop == nil)
        }
    }

    @Test func `is read if it is JSON behind the frame`() throws {
        let json = Array(#"{"token":"ab"}"#.utf8)
        let frames: [[UInt8]] = [
            [0, 0, 0, 0, 7], [0, 0, 0, 0, 0, 0, 0, 0, 9],
            [3, 0] + Array(repeating: 0xAB, count: 16),
        ]
        for frame in frames {
            #expect(try mapped(TestRecord(frame + json), minimal).notifications[0].drop == nil)
        }
    }

    @Test func `is invalid JSON if it begins as JSON`() throws {
        #expect(
            try detail([0, 0, 0, 0, 7] + Array(#"{"token":}"#.utf8))
                .hasPrefix("the value is not valid JSON: "))
    }
}
