import JSON
import Protobuf
import Testing

private let order = """
    syntax = "proto3";
    package shop;
    import "google/protobuf/timestamp.proto";
    import "google/protobuf/struct.proto";
    import "google/protobuf/wrappers.proto";
    enum Status { NEW = 0; SHIPPED = 1; }
    message Order {
      int64 id = 1; Status status = 2; repeated Item items = 3; map<string, Item> by_name = 4;
      google.protobuf.Timestamp at = 5; google.protobuf.Struct free = 6;
      google.protobuf.StringValue note = 7; Order parent = 8; bytes raw = 9;
    }
    message Item { string name = 1; bool gift = 2; }
    """

/// What a connector sees of an event by the schema above, or why the event is not one.
private func sample(_ event: String) throws -> String {
    let schema = try ProtobufSchema(Array(order.utf8))
    let message = try #require(schema.shape.messages.first)
    do throws(ProtobufFault) {
        return String(decoding: try schema.sample(Array(event.utf8), of: message), as: UTF8.self)
    } catch {
        return error.description
    }
}

@Suite struct `An event in JSON for a schema in Protobuf` {
    @Test(arguments: [
        (#"{"idd": 1}"#, "idd"), (#"{"id": "a"}"#, "id"), (#"{"status": "SHIPED"}"#, "SHIPED"),
        (#"{"items": [{"gift": 3}]}"#, "gift"), (#"{"at": "yesterday"}"#, "yesterday"),
        (#"[1"#, "end"),
    ])
    func `is refused with what does not fit`(event: String, expected: String) throws {
        let found = try sample(event)
        #expect(found.contains(expected) && !found.hasPrefix("{"), "\(found)")
    }

    @Test func `is what the reader makes of the message`() throws {
        #expect(
            try sample(
                """
                {"id": 7, "status": "SHIPPED", "items": [{"name": "a"}],
                 "at": "2026-01-01T00:00:00Z", "note": "n", "free": {"a": [1]}, "raw": "AAE="}
                """)
                == #"{"id":7,"status":"SHIPPED","items":[{"name":"a","gift":false}],"by_name":{},"#
                + #""at":"2026-01-01T00:00:00Z","free":{"a":[1]},"note":"n","raw":"AAE="}"#)
    }
}

@Suite struct `The shape of a schema in Protobuf` {
    private func kinds(_ path: [String]) throws -> JSONShape.Kinds {
        let schema = try ProtobufSchema(Array(order.utf8))
        let (shape, messages) = schema.shape
        let nodes = path.reduce(messages.map(\.node)) { nodes, step in
            step == "[]" ? shape.elements(of: nodes) : shape.member(step, of: nodes)
        }
        return shape.kinds(of: nodes)
    }

    @Test func `begins with the messages that no other contains`() throws {
        let schema = try ProtobufSchema(Array(order.utf8))
        #expect(schema.shape.messages.map(\.name) == ["shop.Order"])
    }

    @Test(arguments: [
        ("id", .number), ("status", [.string, .number]), ("items", .array), ("items.[]", .object),
        ("items.[].gift", .boolean), ("by_name", .object), ("by_name.any.name", .string),
        ("at", .string), ("free", .object), ("free.a.b", .all), ("note", .string),
        ("parent.parent.id", .number), ("raw", .string), ("gone", []),
    ] as [(String, JSONShape.Kinds)])
    func `has the kinds of values that the reader writes`(
        path: String, kinds: JSONShape.Kinds
    ) throws {
        #expect(try self.kinds(path.split(separator: ".").map(String.init)) == kinds)
    }
}
