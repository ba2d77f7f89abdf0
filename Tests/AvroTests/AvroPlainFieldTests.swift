import Avro
import Testing

/// Fields that are read without a call, and those beside them that are not.
@Suite struct `A plain field in Avro` {
    @Test(arguments: [
        0, 1, -1, 9, 10, 63, 64, -64, -65, 7001, 99_999_999, 100_000_000, -100_000_000,
        9_999_999_999_999_999, 10_000_000_000_000_000, -10_000_000_000_000_000, .max, .min,
    ] as [Int64])
    func `is a number of any size`(value: Int64) throws {
        #expect(try json(long(value), record(#""long""#)) == "{\"x\":\(value)}")
    }

    @Test func `names itself when its int or its symbol is out of range`() throws {
        #expect(
            try fault(long(2_147_483_648), record(#""int""#))
                == "x: 2147483648 does not fit into an int at byte 0")
        #expect(try json(long(-2_147_483_648), record(#""int""#)) == "{\"x\":-2147483648}")
        let symbols = record(#"{"type": "enum", "name": "E", "symbols": ["A", "B"]}"#)
        #expect(try fault(long(2), symbols) == "x: the enum has no symbol 2 at byte 0")
        #expect(try fault(long(-1), symbols) == "x: the enum has no symbol -1 at byte 0")
        #expect(try json(long(1), symbols) == #"{"x":"B"}"#)
    }

    @Test(arguments: [0, 1, 7, 8, 15, 16, 17, 31, 32, 33, 447, 448, 449, 512, 5000])
    func `is a string of any length`(count: Int) throws {
        let text = String(repeating: "abcdefghij", count: 500).prefix(count)
        let two = #"""
            {"type": "record", "name": "R", "fields": [
              {"name": "x", "type": "string"}, {"name": "y", "type": "string"}]}
            """#
        #expect(
            try json(string(String(text)) + string("z"), two) == #"{"x":"\#(text)","y":"z"}"#)
    }

    @Test(arguments: [
        ("\"", #"\""#), ("a\\b", #"a\\b"#), ("\n", #"\n"#), ("é", "é"), ("😀", "😀"),
        ("0123456789abcdef\t", #"0123456789abcdef\t"#), ("0123456789abcdé", "0123456789abcdé"),
    ])
    func `is a string that is not plain`(text: String, written: String) throws {
        #expect(try json(string(text), record(#""string""#)) == "{\"x\":\"\(written)\"}")
    }

    @Test func `has a string that is too long, or not UTF-8`() throws {
        let schema = record(#""string""#)
        #expect(try fault([4, 65], schema) == "x: it has 2 bytes, but 1 are left at byte 0")
        #expect(
            try fault([4, 0xC3, 0x28], schema)
                == "x: the string is not valid UTF-8 at byte 0")
        #expect(try fault([0x80], schema) == "x: the record ends too early at byte 1")
    }

    @Test(arguments: [
        (0, 2, "0.00"), (5, 2, "0.05"), (-5, 2, "-0.05"), (1250, 2, "12.50"), (100, 2, "1.00"),
        (99_999_999, 7, "9.9999999"), (-99_999_999, 1, "-9999999.9"), (7, 7, "0.0000007"),
        (100_000_000, 2, "1000000.00"), (123, 0, "123"), (123, 8, "0.00000123"),
        (-1, 18, "-0.000000000000000001"), (2_147_483_647, 3, "2147483.647"),
    ])
    func `is a decimal of any scale`(value: Int32, scale: Int, text: String) throws {
        let bytes = (0..<4).map { UInt8(truncatingIfNeeded: value >> (24 - 8 * $0)) }
        let type = #"""
            {"type": "bytes", "logicalType": "decimal", "precision": 20, "scale": \#(scale)}
            """#
        #expect(try json(long(4) + bytes, record(type)) == "{\"x\":\(text)}")
        let fixed = #"""
            {"type": "fixed", "name": "D", "size": 4, "logicalType": "decimal",
             "precision": 9, "scale": \#(min(scale, 9))}
            """#
        if scale < 10 { #expect(try json(bytes, record(fixed)) == "{\"x\":\(text)}") }
        #expect(try json([0], record(type)).hasPrefix(#"{"x":0"#))
    }

    @Test func `is a point in time, or null where there is none`() throws {
        let type = record(#"{"type": "long", "logicalType": "timestamp-millis"}"#)
        #expect(
            try json(long(1_767_225_600_123), type) == #"{"x":"2026-01-01T00:00:00.123Z"}"#)
        #expect(try json(long(-1), type) == #"{"x":"1969-12-31T23:59:59.999Z"}"#)
        #expect(
            try json(long(-62_135_596_800_000), type) == #"{"x":"0001-01-01T00:00:00.000Z"}"#)
        #expect(try json(long(-62_135_596_800_001), type) == #"{"x":null}"#)
        #expect(try json(long(.max), type) == #"{"x":null}"#)
    }

    @Test func `is beside fields of every other kind`() throws {
        let schema = #"""
            {"type": "record", "name": "R", "fields": [
              {"name": "a", "type": "null"}, {"name": "b", "type": "int"},
              {"name": "c", "type": "boolean"}, {"name": "d", "type": ["null", "R", "string"]},
              {"name": "a_name_that_is_longer_than_sixteen_bytes", "type": "string"},
              {"name": "f", "type": {"type": "array", "items": "string"}}]}
            """#
        let inner = long(7) + [1] + long(0) + string("i") + [0]
        let outer = long(-7) + [0] + long(1) + inner + string("") + long(1) + string("j") + [0]
        let name = "a_name_that_is_longer_than_sixteen_bytes"
        #expect(
            try json(outer, schema)
                == #"{"a":null,"b":-7,"c":false,"d":{"a":null,"b":7,"c":true,"d":null,"#
                + #""\#(name)":"i","f":[]},"\#(name)":"","f":["j"]}"#)
    }

    @Test func `is bounded by the size of an event`() throws {
        let fields = (0..<300).map { #"{"name": "f\#($0)", "type": "string"}"# }
            .joined(separator: ",")
        let schema = #"{"type": "record", "name": "R", "fields": [\#(fields)]}"#
        let text = string(String(repeating: "x", count: 4000))
        let bytes = Array(repeating: text, count: 300).flatMap { $0 }
        let message = try fault(bytes, schema)
        #expect(message.contains(": its JSON text is longer than 1048576 bytes at byte "))
        #expect(message.hasPrefix("f261: "))
    }
}
