import JSON
import Protobuf
import Testing

private let order = """
    syntax = "proto3";
    package shop;
    import "google/protobuf/timestamp.proto";
    import "google/protobuf/duration.proto";
    import "google/protobuf/struct.proto";
    import "google/protobuf/wrappers.proto";
    enum Status { NEW = 0; SHIPPED = 1; }
    message Order {
      int64 id = 1; Status status = 2; repeated Item items = 3; map<string, Item> by_name = 4;
      google.protobuf.Timestamp at = 5; google.protobuf.Struct free = 6;
      google.protobuf.StringValue note = 7; Order parent = 8; bytes raw = 9;
      int32 small = 10; uint32 positive = 11; google.protobuf.Duration wait = 12; float share = 13;
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
        (
            #"{"idd": 1}"#,
            "the message shop.Order has no field 'idd'; its fields are id, status, items, by_name,"
                + " at, free, note, parent, raw, small, positive, wait, share"
        ),
        (
            #"{"items": [{}, {"gif": true}]}"#,
            "items[1]: the message shop.Item has no field 'gif'; its fields are name, gift"
        ),
        (#"{"id": "a"}"#, #"id: expected a whole number of 64 bits, not "a""#),
        (#"{"id": 1.5}"#, "id: expected a whole number of 64 bits, not 1.5"),
        (#"{"small": 2147483648}"#, "small: expected a whole number of 32 bits, not 2147483648"),
        (
            #"{"positive": -1}"#,
            "positive: expected a whole number of 32 bits without a sign, not -1"
        ),
        (#"{"share": "much"}"#, #"share: expected a number of 32 bits, not "much""#),
        (#"{"status": "SHIPED"}"#, #"status: expected NEW or SHIPPED, not "SHIPED""#),
        (#"{"items": [{"gift": 3}]}"#, "items[0].gift: expected true or false, not 3"),
        (#"{"items": {"gift": 3}}"#, "items.gift: expected true or false, not 3"),
        (#"{"byName": {"x": 1}}"#, "byName.x: expected an object, not 1"),
        (#"{"by_name": [1]}"#, "by_name: expected an object, not [1]"),
        (
            #"{"at": "yesterday"}"#,
            #"at: expected a time such as 2026-01-31T10:00:00Z, not "yesterday""#
        ),
        (#"{"wait": 3}"#, #"wait: expected a duration such as "1.5s", not 3"#),
        (#"{"note": 3}"#, "note: expected a string, not 3"),
        (#"{"free": 3}"#, "free: expected an object, not 3"),
        (#"{"raw": "ä"}"#, #"raw: expected a string in Base64, not "ä""#),
        (
            #"{"parent": {"parent": {"id": []}}}"#,
            "parent.parent.id: expected a whole number of 64 bits, not []"
        ),
        ("[1]", "expected an object, not [1]"),
    ])
    func `is refused with what does not fit`(event: String, expected: String) throws {
        #expect(try sample(event) == expected)
    }

    @Test func `is refused if it is not JSON`() throws {
        #expect(try sample("[1").hasPrefix("it is not valid JSON: "))
    }

    @Test func `is what the reader makes of the message`() throws {
        #expect(
            try sample(
                """
                {"id": 7, "status": "SHIPPED", "items": [{"name": "a"}],
                 "at": "2026-01-01T00:00:00Z", "note": "n", "free": {"a": [1]}, "raw": "AAE="}
                """)
                == #"{"id":7,"status":"SHIPPED","items":[{"name":"a","gift":false}],"by_name":{},"#
                + #""at":"2026-01-01T00:00:00Z","free":{"a":[1]},"note":"n","raw":"AAE=","#
                + #""small":0,"positive":0,"share":0}"#)
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
