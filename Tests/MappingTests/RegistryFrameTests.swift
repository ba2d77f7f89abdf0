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
                + " set source.format: avro and schema_registry; Protobuf is not read")
        #expect(
            try detail([0, 0, 0, 0, 0, 0, 0, 1, 2] + content)
                == "the value is not JSON: it looks like Avro or Protobuf, schema 258 of an"
                + " Apicurio registry: set source.format: avro and schema_registry; Protobuf is"
                + " not read")
        let glue: [UInt8] = [3, 0] + Array(repeating: 0xAB, count: 16)
        #expect(
            try detail(glue + content)
                == "the value is not JSON: it looks like a record of AWS Glue's schema registry,"
                + " whose Avro and Protobuf are not read")
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
