import Delivery
import Mapping
import Testing

/// The drop of a record with this value, of which only `token` is read.
private func drop(_ value: [UInt8]) throws -> Drop? {
    try mapped(TestRecord(value), minimal).notifications[0].drop
}

private func unparsable(_ message: String) -> String {
    "connectors/orders.yaml: the value is not valid JSON: \(message)"
}

@Suite struct `A record with an invalid value` {
    @Test(
        arguments: [
            (
                "{\"token\":\"ab\",\"x\":\"a\nb\"}",
                "unescaped control character in a string at byte 20"
            ),
            (
                "{\"token\":\"ab\",\"x\":\"a\0b\"}",
                "unescaped control character in a string at byte 20"
            ),
            ("{\"token\":\"ab\"}\0", "unexpected content after the value at byte 14"),
            ("{\"token\":\"ab\"} {}", "unexpected content after the value at byte 15"),
            ("{\"token\":\"ab\",}", "expected a quoted name at byte 14"),
            ("{\"token\":\"ab\"", "unexpected end: the object is not closed at byte 13"),
        ])
    func `is dropped with the byte offset, even if no path reads that spot`(
        _ value: String, _ message: String
    ) throws {
        #expect(try drop(Array(value.utf8))?.detail == unparsable(message))
    }

    @Test(
        arguments: [
            [0xFF], [0xC3], [0xC0, 0x80], [0xED, 0xA0, 0x80], [0xF4, 0x90, 0x80, 0x80], [0x80],
            [0xF0, 0x9F, 0x98], [0xE2, 0x82],
        ] as [[UInt8]])
    func `is dropped if a string in it is not valid UTF-8`(_ bytes: [UInt8]) throws {
        let value = Array("{\"token\":\"ab\",\"x\":\"".utf8) + bytes + Array("\"}".utf8)
        let found = try drop(value)
        #expect(found?.reason == .unparsable)
        #expect(found?.detail.contains("UTF-8 at byte 19") == true)
    }

    @Test(arguments: ["{\"a\":", "["])
    func `is dropped if it is nested deeper than 64`(_ open: String) throws {
        let close = open == "[" ? "]" : "}"
        func nested(_ depth: Int) -> [UInt8] {
            let inner = String(repeating: open, count: depth - 1) + "1"
            let deep = inner + String(repeating: close, count: depth - 1)
            return Array("{\"token\":\"ab\",\"x\":\(deep)}".utf8)
        }
        #expect(try drop(nested(64)) == nil)
        let found = try drop(nested(65))
        #expect(found?.reason == .unparsable)
        #expect(
            found?.cause == "connectors/orders.yaml: the value is nested deeper than 64 levels")
    }

    @Test func `is dropped without a crash if it is nested endlessly`() throws {
        let value = Array(repeating: UInt8(ascii: "["), count: 1 << 20)
        #expect(try drop(value)?.reason == .unparsable)
    }

    @Test func `is dropped with a reason of its own if it is null, empty or only a prefix`() throws
    {
        #expect(try mapped(TestRecord(nil), minimal).notifications[0].drop?.reason == .tombstone)
        #expect(try drop([]) == Drop(.unparsable, "connectors/orders.yaml: the value is empty"))
        #expect(try drop([0xEF, 0xBB, 0xBF])?.reason == .unparsable)
        #expect(try drop([0, 0, 0, 0, 7])?.reason == .unparsable)
        #expect(try drop(Array(" \n".utf8))?.reason == .unparsable)
    }

    @Test func `is dropped with a byte offset that includes a registry's prefix`() throws {
        let value = [0, 0, 0, 0, 7] + Array("{\"token\":tru}".utf8)
        #expect(try drop(value)?.detail == unparsable("expected a value at byte 14"))
    }
}

@Suite struct `A record with an unusual value` {
    @Test(arguments: [
        "18446744073709551616", "-9223372036854775809", "1e999", "-1E-999", "0.1000", "1E+2",
        "123456789012345678901234567890.12345678901234567890", "-0", "0e0",
    ])
    func `keeps a number digit by digit, alone, in a string and in an object`(
        _ number: String
    ) throws {
        let event = "{\"n\":\(number),\"o\":{\"i\": [\(number) ]}}"
        #expect(try written("${n}", of: event) == ",\"v\":\(number)")
        #expect(try written("<${n}>", of: event) == ",\"v\":\"<\(number)>\"")
        #expect(try written("${o}", of: event) == ",\"v\":{\"i\":[\(number)]}")
    }

    @Test func `passes on a string of a megabyte, and can truncate it`() throws {
        let text = String(repeating: "é", count: 500_000)
        let event = "{\"a\":\"\(text)\"}"
        #expect(try written("${a}", of: event) == "payload_too_large")
        #expect(try written("${a | truncate(3)}", of: event) == ",\"v\":\"éé…\"")
        #expect(try written("${a | upper | length}", of: event) == ",\"v\":500000")
        #expect(try written("${a | hex}", of: event) == "wrong_type")
        #expect(try written("${a | number}", of: event) == "wrong_type")
    }

    @Test func `passes on a number of a megabyte, but does not compute with it`() throws {
        let digits = String(repeating: "7", count: 1_000_000)
        #expect(try written("${n}", of: "{\"n\":\(digits)}") == "payload_too_large")
        #expect(try written("${n | fixed(0)}", of: "{\"n\":\(digits)}") == "number_out_of_range")
        #expect(try written("${n | fixed(1)}", of: "{\"n\":0.\(digits)}") == ",\"v\":0.8")
        #expect(try written("${n | shift(1)}", of: "{\"n\":0.\(digits)}") == "number_out_of_range")
        #expect(try written("${n | shift(1)}", of: "{\"n\":1e\(digits)}") == "number_out_of_range")
    }

    @Test func `may have one character of many marks, which is not cut apart`() throws {
        let text = "e" + String(repeating: "\u{301}", count: 100_000)
        #expect(try written("${a | length}", of: "{\"a\":\"\(text)x\"}") == ",\"v\":2")
        #expect(try written("${a | truncate(1)}", of: "{\"a\":\"\(text)x\"}") == ",\"v\":\"…\"")
    }

    @Test func `may have several members of one name, and the last counts`() throws {
        let event = "{\"a\":1,\"\\u0061\":2,\"o\":{\"b\":1},\"o\":{\"c\":3}}"
        #expect(try written("${a}", of: event) == ",\"v\":2")
        #expect(try written("${o.c}", of: event) == ",\"v\":3")
        #expect(try written("${o.b}", of: event) == "missing_field")
        #expect(try written("${a}", of: "{\"a\":1,\"a\":null}") == "missing_field")
    }

    @Test func `may have NUL in a string, which stays escaped`() throws {
        let event = "{\"a\":\"x\\u0000y\"}"
        #expect(try written("${a}", of: event) == ",\"v\":\"x\\u0000y\"")
        #expect(try written("<${a | upper}>", of: event) == ",\"v\":\"<X\\u0000Y>\"")
        #expect(try written("${a | length}", of: event) == ",\"v\":3")
    }

    @Test(arguments: ["", "\u{FEFF}"])
    func `may begin with a byte order mark`(_ mark: String) throws {
        let value = Array("\(mark) {\"token\":\"ab\"}".utf8)
        #expect(try drop(value) == nil)
        #expect(try drop([0, 0, 0, 1, 2] + Array("{\"token\":\"ab\"}".utf8)) == nil)
    }

    @Test(arguments: ["1", "\"a\"", "null", "true", "[]", "[{\"token\":\"ab\"}]"])
    func `may be something other than an object, without members`(_ value: String) throws {
        #expect(try drop(Array(value.utf8))?.reason == .missingField)
    }
}
