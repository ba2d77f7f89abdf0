import Avro
import Testing

@Suite struct `Bytes that are not a record of the schema` {
    @Test func `name the field and the byte`() throws {
        let schema = #"""
            {"type": "record", "name": "Order", "fields": [
              {"name": "id", "type": "int"},
              {"name": "items", "type": {"type": "array", "items":
                {"type": "record", "name": "Item", "fields": [{"name": "name", "type": "string"}]}}}
            ]}
            """#
        let bytes = long(7) + long(2) + string("pen") + long(90) + [65]
        #expect(
            try fault(bytes, schema)
                == "items[1].name: it has 90 bytes, but 1 are left at byte 6")
    }

    @Test func `name the key of a map`() throws {
        let bytes = long(1) + string("de") + [2]
        #expect(
            try fault(bytes, record(#"{"type": "map", "values": "boolean"}"#))
                == "x.de: a boolean is 0 or 1, not 2 at byte 4")
    }

    @Test func `end too early or too late`() throws {
        #expect(try fault([], #""int""#) == "the record ends too early at byte 0")
        #expect(try fault([0x80], #""int""#) == "the record ends too early at byte 1")
        #expect(try fault([1, 2, 3], #""double""#) == "the record ends too early at byte 3")
        #expect(
            try fault([2, 9, 9], #""int""#) == "the record ends, but 2 bytes follow at byte 1")
        #expect(
            try fault([9], #"{"type": "fixed", "name": "F", "size": 2147483647}"#)
                == "it has 2147483647 bytes, but 1 are left at byte 0")
    }

    @Test(arguments: [
        [UInt8](repeating: 0xFF, count: 9) + [0x02],
        [UInt8](repeating: 0xFF, count: 12), [UInt8](repeating: 0x80, count: 11),
    ])
    func `contain a number that is too long`(bytes: [UInt8]) throws {
        #expect(try fault(bytes, #""long""#) == "a number has more than 64 bits at byte 0")
        #expect(try fault(bytes, #""string""#) == "a number has more than 64 bits at byte 0")
    }

    @Test func `contain an int that only fits into a long`() throws {
        #expect(
            try fault(long(2_147_483_648), #""int""#)
                == "2147483648 does not fit into an int at byte 0")
    }

    @Test func `contain a size that is negative or larger than the record`() throws {
        #expect(try fault(long(-1), #""bytes""#) == "it has -1 bytes, but 0 are left at byte 0")
        #expect(
            try fault(long(.max), #""string""#)
                == "it has 9223372036854775807 bytes, but 0 are left at byte 0")
        #expect(
            try fault(long(.min), #""string""#)
                == "it has -9223372036854775808 bytes, but 0 are left at byte 0")
    }

    @Test func `choose a type or a symbol that there is not`() throws {
        #expect(try fault(long(2), #"["null", "int"]"#) == "the union has no type 2 at byte 0")
        #expect(try fault(long(-1), #"["null", "int"]"#) == "the union has no type -1 at byte 0")
        let symbols = #"{"type": "enum", "name": "E", "symbols": ["A"]}"#
        #expect(try fault(long(1), symbols) == "the enum has no symbol 1 at byte 0")
        #expect(try fault(long(.min), symbols).hasPrefix("the enum has no symbol -92"))
    }

    @Test func `contain a string that is not UTF-8`() throws {
        #expect(
            try fault([4, 0xC3, 0x28], #""string""#) == "the string is not valid UTF-8 at byte 0")
    }

    @Test func `nest deeper than JSON may`() throws {
        let list = record(#"["R", "null"]"#)
        let expected = [String](repeating: "x", count: 64).joined(separator: ".")
        #expect(
            try fault([UInt8](repeating: 0, count: 1000), list)
                == "\(expected): nested deeper than 64 levels at byte 64")
        let deepest = try json([UInt8](repeating: 0, count: 63) + [2], list)
        #expect(deepest.hasSuffix("null" + String(repeating: "}", count: 64)))
    }

    @Test func `nest for ever without any bytes`() throws {
        let schema = record(#""R""#)
        #expect(try fault([], schema).hasSuffix("nested deeper than 64 levels at byte 0"))
    }

    @Test func `contain endless items without bytes`() throws {
        let array = #"{"type": "array", "items": "null"}"#
        #expect(
            try fault(long(.max), array)
                == "[209715]: its JSON text is longer than 1048576 bytes at byte 10")
        let empty = #"{"type": "array", "items": {"type": "record", "name": "E", "fields": []}}"#
        #expect(try fault(long(1 << 40), empty) == "[262144]: more than 262144 items at byte 6")
    }

    @Test func `grow beyond all bounds without any items`() throws {
        var type = #"{"type": "record", "name": "R0", "fields": []}"#
        for level in 1...15 {
            type = #"""
                {"type": "record", "name": "R\#(level)", "fields": [
                  {"name": "a", "type": \#(type)}, {"name": "b", "type": "R\#(level - 1)"}]}
                """#
        }
        let top = (1...5).map { level in
            #"{"name": "f\#(level)", "type": \#(level == 1 ? type : "\"R15\"")}"#
        }
        let fields = top.joined(separator: ",")
        let schema = #"{"type": "record", "name": "Top", "fields": [\#(fields)]}"#
        #expect(try fault([], schema).contains("its JSON text is longer than 1048576 bytes"))
    }

    @Test func `contain a block whose count or size is impossible`() throws {
        let array = #"{"type": "array", "items": "int"}"#
        #expect(try fault(long(.min), array) == "a block has too many items at byte 0")
        #expect(
            try fault(long(-1) + long(-5), array)
                == "a block has -5 bytes, but 0 are left at byte 2")
        #expect(
            try fault(long(-1) + long(.max), array)
                == "a block has 9223372036854775807 bytes, but 0 are left at byte 11")
    }

    @Test func `contain a decimal whose digits would take long`() throws {
        let decimal = #"{"type": "bytes", "logicalType": "decimal", "precision": 9000, "scale": 2}"#
        #expect(
            try fault(long(513) + [UInt8](repeating: 1, count: 513), decimal)
                == "the decimal has 513 bytes; the limit is 512 at byte 2")
    }
}

@Suite struct `A schema that cannot be used` {
    @Test(arguments: [
        ("", "the schema is not valid JSON: unexpected end: a value is missing at byte 0"),
        ("<html>", "the schema is not valid JSON: expected a value at byte 0"),
        ("7", "a type is a name, a list or an object"),
        ("[]", "a union has no types"),
        (#""text""#, "type 'text' is not defined"),
        ("{}", "an object in the schema has no 'type'"),
        (#"{"type": "array"}"#, "type 'array' has no 'items'"),
        (#"{"type": "map"}"#, "type 'map' has no 'values'"),
        (#"{"type": "record", "fields": []}"#, "a record, enum or fixed type has no name"),
        (#"{"type": "record", "name": "R"}"#, "record 'R' has no 'fields'"),
        (#"{"type": "record", "name": "R", "fields": [{}]}"#,
            "a field of record 'R' has no name or no type"),
        (#"{"type": "enum", "name": "E"}"#, "enum 'E' has no 'symbols'"),
        (#"{"type": "enum", "name": "E", "symbols": [1]}"#, "a symbol of enum 'E' is not a string"),
        (#"{"type": "fixed", "name": "F"}"#, "fixed 'F' has no valid 'size'"),
        (#"{"type": "fixed", "name": "F", "size": -1}"#, "fixed 'F' has no valid 'size'"),
        (
            #"[{"type": "fixed", "name": "n.F", "size": 1}, "#
                + #"{"type": "fixed", "name": "F", "namespace": "n", "size": 1}]"#,
            "type 'n.F' is defined twice"
        ),
        (record(#""com.example.Foo""#), "field 'x' of 'R': type 'com.example.Foo' is not defined"),
    ])
    func `says what is wrong`(schema: String, expected: String) {
        #expect(schemaFault(schema) == expected)
    }

    @Test func `has two fields of the same name`() {
        let field = #"{"name": "a", "type": "int"}"#
        #expect(
            schemaFault(#"{"type": "record", "name": "R", "fields": [\#(field), \#(field)]}"#)
                == "record 'R' has two fields 'a'")
    }

    @Test func `is too large or nested too deep`() {
        #expect(
            schemaFault("\"" + String(repeating: "a", count: 1 << 20) + "\"")
                == "the schema has 1048578 bytes; the limit is 1048576")
        let deep =
            String(repeating: #"{"type":"#, count: 70) + #""int""#
            + String(repeating: "}", count: 70)
        #expect(schemaFault(deep).contains("nested deeper than 64 levels"))
    }
}
