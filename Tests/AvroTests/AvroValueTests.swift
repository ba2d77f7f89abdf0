import Avro
import JSON
import Testing

@Suite struct `A record in Avro becomes JSON` {
    @Test func `with its fields in order`() throws {
        let schema = #"""
            {"type": "record", "name": "Order", "namespace": "com.example", "fields": [
              {"name": "id", "type": "long"},
              {"name": "paid", "type": "boolean"},
              {"name": "note", "type": ["null", "string"], "default": null},
              {"name": "status", "type": {"type": "enum", "name": "S", "symbols": ["NEW", "OLD"]}},
              {"name": "tags", "type": {"type": "array", "items": "string"}},
              {"name": "prices", "type": {"type": "map", "values": "double"}},
              {"name": "again", "type": "com.example.S"}
            ]}
            """#
        let bytes =
            long(-42) + [1] + long(1) + string("Grüße \"x\"\n") + long(1)
            + long(1) + string("a") + long(2) + string("b") + string("") + long(0)
            + long(1) + string("de") + [0, 0, 0, 0, 0, 0, 0xF8, 0x3F] + long(0) + long(0)
        #expect(
            try json(bytes, schema)
                == #"{"id":-42,"paid":true,"note":"Grüße \"x\"\n","status":"OLD","#
                + #""tags":["a","b",""],"prices":{"de":1.5},"again":"NEW"}"#)
    }

    @Test func `with empty records, arrays and maps`() throws {
        #expect(try json([], #"{"type": "record", "name": "E", "fields": []}"#) == "{}")
        #expect(try json([0], #"{"type": "array", "items": "int"}"#) == "[]")
        #expect(try json([0], #"{"type": "map", "values": "int"}"#) == "{}")
        #expect(
            try json(long(3) + [0], #"{"type": "array", "items": "null"}"#) == "[null,null,null]")
    }

    @Test func `with blocks whose counts are negative`() throws {
        let bytes = long(-2) + long(2) + [2, 4] + long(1) + [6] + [0]
        #expect(try json(bytes, #"{"type": "array", "items": "int"}"#) == "[1,2,3]")
    }

    @Test(arguments: [
        Int64.min, .max, -1, 0, 1, 63, 64, -64, -65, 8191, 8192, 2_147_483_647, 1 << 62,
    ])
    func `with whole numbers of any size`(value: Int64) throws {
        #expect(try json(long(value), #""long""#) == "\(value)")
    }

    @Test func `with the shortest digits of a number`() throws {
        #expect(try json(bits(Float(0.1)), #""float""#) == "0.1")
        #expect(try json(bits(0.1), #""double""#) == "0.1")
        #expect(try json(bits(-1.7976931348623157e308), #""double""#) == "-1.7976931348623157e+308")
        #expect(try json(bits(3.0), #""double""#) == "3.0")
    }

    @Test func `without what JSON cannot express`() throws {
        for value in [Double.nan, .infinity, -.infinity] {
            #expect(try json(bits(value), #""double""#) == "null")
        }
        #expect(try json(bits(Float.nan), #""float""#) == "null")
    }

    @Test func `with bytes in Base64`() throws {
        for (bytes, text) in [
            ([], ""), ([0xFB], "+w=="), ([0xFB, 0xFF], "+/8="), ([1, 2, 3, 4], "AQIDBA=="),
        ] as [([UInt8], String)] {
            #expect(try json(long(Int64(bytes.count)) + bytes, #""bytes""#) == "\"\(text)\"")
            #expect(
                try json(bytes, #"{"type": "fixed", "name": "F", "size": \#(bytes.count)}"#)
                    == "\"\(text)\"")
        }
    }

    @Test func `with unions in unions, and with types given as objects`() throws {
        #expect(try json(long(1) + long(0), #"["int", ["null", "string"]]"#) == "null")
        #expect(try json([2], #"{"type": {"type": "int"}}"#) == "1")
        #expect(try json(long(1) + [2], #"{"type": ["null", "int"]}"#) == "1")
    }

    @Test func `with types that other schemas define`() throws {
        let price = #"""
            {"type": "record", "name": "Price", "namespace": "a.b",
             "fields": [{"name": "v", "type": "int"}]}
            """#
        let item = #"""
            {"type": "record", "name": "a.b.Item",
             "fields": [{"name": "price", "type": "Price"}]}
            """#
        #expect(
            try json([2], record(#""a.b.Item""#), references: [price, item])
                == #"{"x":{"price":{"v":1}}}"#)
    }

    @Test func `with a tree that refers to itself`() throws {
        let tree = #"""
            {"type": "record", "name": "Tree", "fields": [
              {"name": "v", "type": "int"},
              {"name": "c", "type": {"type": "array", "items": "Tree"}}]}
            """#
        #expect(
            try json([2] + long(2) + [4, 0] + [6, 0] + [0], tree)
                == #"{"v":1,"c":[{"v":2,"c":[]},{"v":3,"c":[]}]}"#)
    }

    @Test func `again and again in the same memory`() throws {
        let schema = try AvroSchema(Array(#"{"type": "array", "items": "int"}"#.utf8))
        var reader = AvroReader()
        for bytes in [[4, 2, 4, 0], [2], [0], [2, 6, 0]] as [[UInt8]] {
            bytes.withBytes { try? reader.read($0, by: schema) }
        }
        #expect(reader.text.copy() == Array("[3]".utf8))
    }

    private func bits(_ value: Double) -> [UInt8] {
        (0..<8).map { UInt8(truncatingIfNeeded: value.bitPattern >> (8 * $0)) }
    }

    private func bits(_ value: Float) -> [UInt8] {
        (0..<4).map { UInt8(truncatingIfNeeded: value.bitPattern >> (8 * $0)) }
    }
}

@Suite struct `A logical type in Avro` {
    @Test(arguments: [
        (0, "0.00"), (1, "0.01"), (-1, "-0.01"), (1200, "12.00"), (-128, "-1.28"), (127, "1.27"),
        (Int64.max, "92233720368547758.07"), (Int64.min, "-92233720368547758.08"),
    ])
    func `is a decimal without loss`(value: Int64, text: String) throws {
        let decimal = #"{"type": "bytes", "logicalType": "decimal", "precision": 20, "scale": 2}"#
        let bytes = (0..<8).map { UInt8(truncatingIfNeeded: value >> (56 - 8 * $0)) }
        #expect(try json(long(8) + bytes, decimal) == text)
        let fixed = #"""
            {"type": "fixed", "name": "D", "size": 8, "logicalType": "decimal",
             "precision": 18, "scale": 2}
            """#
        #expect(try json(bytes, fixed) == text)
    }

    @Test func `is a decimal of any size`() throws {
        let whole = #"{"type": "bytes", "logicalType": "decimal", "precision": 40}"#
        #expect(
            try json(long(17) + [1] + [UInt8](repeating: 0, count: 16), whole)
                == "340282366920938463463374607431768211456")
        #expect(
            try json(long(16) + [0x80] + [UInt8](repeating: 0, count: 15), whole)
                == "-170141183460469231731687303715884105728")
        #expect(try json(long(0), whole) == "0")
        #expect(try json(long(3) + [0xFF, 0xFF, 0xFF], whole) == "-1")
    }

    @Test(arguments: [
        (#""int", "logicalType": "date""#, 20_454, "\"2026-01-01\""),
        (#""int", "logicalType": "date""#, -1, "\"1969-12-31\""),
        (#""int", "logicalType": "date""#, 2_932_897, "null"),
        (#""int", "logicalType": "time-millis""#, 43_200_007, "\"12:00:00.007\""),
        (#""int", "logicalType": "time-millis""#, 86_400_000, "null"),
        (#""int", "logicalType": "time-millis""#, -1, "null"),
        (#""long", "logicalType": "time-micros""#, 86_399_999_999, "\"23:59:59.999999\""),
        (
            #""long", "logicalType": "timestamp-millis""#, 1_767_225_600_123,
            "\"2026-01-01T00:00:00.123Z\""
        ),
        (#""long", "logicalType": "timestamp-millis""#, -1, "\"1969-12-31T23:59:59.999Z\""),
        (#""long", "logicalType": "timestamp-millis""#, Int64.min, "null"),
        (#""long", "logicalType": "timestamp-millis""#, Int64.max, "null"),
        (
            #""long", "logicalType": "timestamp-micros""#, 1_767_225_600_123_456,
            "\"2026-01-01T00:00:00.123456Z\""
        ),
        (
            #""long", "logicalType": "timestamp-nanos""#, Int64.max,
            "\"2262-04-11T23:47:16.854775807Z\""
        ),
        (
            #""long", "logicalType": "local-timestamp-millis""#, 1_767_225_600_123,
            "\"2026-01-01T00:00:00.123\""
        ),
        (
            #""long", "logicalType": "local-timestamp-micros""#, 0,
            "\"1970-01-01T00:00:00.000000\""
        ),
    ])
    func `is a date or a time as text`(type: String, value: Int64, text: String) throws {
        #expect(try json(long(value), "{\"type\": \(type)}") == text)
    }

    @Test func `is a UUID as text`() throws {
        #expect(
            try json(
                (0..<16).map { UInt8($0 * 17) },
                #"{"type": "fixed", "name": "U", "size": 16, "logicalType": "uuid"}"#)
                == "\"00112233-4455-6677-8899-aabbccddeeff\"")
        #expect(try json(string("a-b"), #"{"type": "string", "logicalType": "uuid"}"#) == "\"a-b\"")
    }

    @Test(arguments: [
        (#""int", "logicalType": "timestamp-millis""#, "1"),
        (#""int", "logicalType": "money""#, "1"),
        (#""bytes", "logicalType": "decimal", "precision": 2, "scale": 3"#, "\"\""),
        (#""bytes", "logicalType": "decimal", "scale": 3"#, "\"\""),
        (#""bytes", "logicalType": "decimal", "precision": 9, "scale": -1"#, "\"\""),
        (#""bytes", "logicalType": "decimal", "precision": 9000, "scale": 2000"#, "\"\""),
    ])
    func `is ignored where it does not fit`(type: String, text: String) throws {
        #expect(try json(text == "1" ? [2] : [0], "{\"type\": \(type)}") == text)
    }
}
