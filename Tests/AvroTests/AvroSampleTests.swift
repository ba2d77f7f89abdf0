import Avro
import Testing

/// What a connector sees of an event by a schema, or why the event is not one.
private func sample(_ event: String, _ schema: String) throws -> String {
    let schema = try AvroSchema(Array(schema.utf8))
    do throws(AvroFault) {
        return String(decoding: try schema.sample(Array(event.utf8)), as: UTF8.self)
    } catch {
        return error.path.isEmpty ? error.message : "\(error.path): \(error.message)"
    }
}

/// A union of two records, and a field after it.
private let customerOrCompany = """
    {"type": "record", "name": "R", "fields": [{"name": "who", "type": [
     {"type": "record", "name": "A", "fields": [{"name": "id", "type": "int"}]},
     {"type": "record", "name": "B", "fields": [{"name": "code", "type": "string"}]}]},
     {"name": "total", "type": "int"}]}
    """

@Suite struct `An event in JSON that does not fit its schema` {
    @Test(arguments: [
        (#"{"x": "a"}"#, #""int""#, "x: expected a whole number of 32 bits, not \"a\""),
        (#"{"x": 2147483648}"#, #""int""#, "x: expected a whole number of 32 bits, not 2147483648"),
        (#"{"x": 1e39}"#, #""float""#, "x: expected a number of 32 bits, not 1e39"),
        (#"{"x": -1e400}"#, #""double""#, "x: expected a number of 64 bits, not -1e400"),
        (#"{"x": 1.5}"#, #""long""#, "x: expected a whole number of 64 bits, not 1.5"),
        (#"{}"#, #""int""#, "x: the field is missing"),
        (#"{"x": 1, "y": 2}"#, #""int""#, "the record has no field 'y'; its fields are x"),
        (#"{"x": "é"}"#, #""bytes""#, "x: expected a string in Base64, not \"é\""),
        (
            #"{"x": "no"}"#, #"{"type": "enum", "name": "E", "symbols": ["A", "B"]}"#,
            "x: expected A or B, not \"no\""
        ),
        (
            #"{"x": 1.255}"#,
            #"{"type": "bytes", "logicalType": "decimal", "precision": 5, "scale": 2}"#,
            "x: expected a number with at most 2 decimals, not 1.255"
        ),
        (
            #"{"x": 300.00}"#,
            #"{"type": "fixed", "name": "F", "size": 1, "logicalType": "decimal", "precision": 2}"#,
            "x: expected a number with at most 0 decimals, not 300.00"
        ),
        (
            #"{"x": "2026-02-30T10:00:00Z"}"#,
            #"{"type": "long", "logicalType": "timestamp-millis"}"#,
            "x: expected a time such as 2026-01-31T10:00:00.000Z, not \"2026-02-30T10:00:00Z\""
        ),
        (
            #"{"x": true}"#, #"["null", "string", "int"]"#,
            "x: expected null or a string or a whole number of 32 bits, not true"
        ),
        (
            #"{"x": {"a": [1, "b"]}}"#,
            #"{"type": "map", "values": {"type": "array", "items": "long"}}"#,
            "x.a[1]: expected a whole number of 64 bits, not \"b\""
        ),
    ])
    func `is refused with the path of what does not`(
        event: String, type: String, expected: String
    ) throws {
        #expect(try sample(event, record(type)) == expected)
    }

    @Test func `names the field of the only branch that it may be`() throws {
        let inner = #"{"type": "record", "name": "I", "fields": [{"name": "y", "type": "int"}]}"#
        #expect(
            try sample(#"{"x": {"y": null}}"#, record(#"["null", \#(inner)]"#))
                == "x.y: expected a whole number of 32 bits, not null")
    }

    @Test func `names the field of the only branch with such names`() throws {
        #expect(
            try sample(#"{"who": {"code": 5}, "total": 1}"#, customerOrCompany)
                == "who.code: expected a string, not 5")
    }

    @Test func `is refused with the path of a field after a union of records`() throws {
        #expect(
            try sample(#"{"who": {"code": "x"}, "total": "y"}"#, customerOrCompany)
                == "total: expected a whole number of 32 bits, not \"y\"")
    }
}

@Suite struct `An event in JSON that fits its schema` {
    @Test(arguments: [
        ("null", #""null""#, "null"), ("true", #""boolean""#, "true"),
        ("-7", #""int""#, "-7"), ("9223372036854775807", #""long""#, "9223372036854775807"),
        ("1.50", #""double""#, "1.5"), ("3", #""float""#, "3.0"), ("\"ü\"", #""string""#, "\"ü\""),
        ("\"AAH/\"", #""bytes""#, "\"AAH/\""),
        ("\"AAH/\"", #"{"type": "fixed", "name": "F", "size": 3}"#, "\"AAH/\""),
        ("\"B\"", #"{"type": "enum", "name": "E", "symbols": ["A", "B"]}"#, "\"B\""),
        ("[1, 2]", #"{"type": "array", "items": "int"}"#, "[1,2]"),
        (#"{"a": 1}"#, #"{"type": "map", "values": "int"}"#, #"{"a":1}"#),
        ("2", #"["null", "string", "int"]"#, "2"), ("null", #"["string", "null"]"#, "null"),
        (
            "12.5", #"{"type": "bytes", "logicalType": "decimal", "precision": 9, "scale": 2}"#,
            "12.50"
        ),
        (
            "-128", #"{"type": "bytes", "logicalType": "decimal", "precision": 9}"#, "-128"
        ),
        (
            "-1.5",
            """
            {"type": "fixed", "name": "F", "size": 4, "logicalType": "decimal", "precision": 9, \
            "scale": 1}
            """, "-1.5"
        ),
        (
            "\"2026-01-01T01:00:00+01:00\"",
            #"{"type": "long", "logicalType": "timestamp-millis"}"#, "\"2026-01-01T00:00:00.000Z\""
        ),
        (
            "1767225600000", #"{"type": "long", "logicalType": "timestamp-millis"}"#,
            "\"2026-01-01T00:00:00.000Z\""
        ),
        (
            "\"1969-12-31T23:59:59.5Z\"", #"{"type": "long", "logicalType": "timestamp-micros"}"#,
            "\"1969-12-31T23:59:59.500000Z\""
        ),
        (
            "\"2026-01-01T00:00:00.25\"",
            #"{"type": "long", "logicalType": "local-timestamp-millis"}"#,
            "\"2026-01-01T00:00:00.250\""
        ),
        ("\"2024-02-29\"", #"{"type": "int", "logicalType": "date"}"#, "\"2024-02-29\""),
        ("\"0001-01-01\"", #"{"type": "int", "logicalType": "date"}"#, "\"0001-01-01\""),
        (
            "\"10:00:00.5\"", #"{"type": "int", "logicalType": "time-millis"}"#, "\"10:00:00.500\""
        ),
        (
            "\"00112233-4455-6677-8899-aabbccddeeff\"",
            #"{"type": "fixed", "name": "U", "size": 16, "logicalType": "uuid"}"#,
            "\"00112233-4455-6677-8899-aabbccddeeff\""
        ),
    ])
    func `is what the reader makes of the record`(
        value: String, type: String, expected: String
    ) throws {
        #expect(try sample("{\"x\": \(value)}", record(type)) == "{\"x\":\(expected)}")
    }

    @Test func `is written at once however deep its unions are`() throws {
        // Only the last field of each distinguishes an A from a B.
        let schema = """
            {"type": "record", "name": "A", "fields": [
             {"name": "next", "type": ["null", "A", {"type": "record", "name": "B",
              "fields": [{"name": "next", "type": ["null", "A", "B"]},
                         {"name": "kind", "type": "int"}]}]},
             {"name": "kind", "type": "string"}]}
            """
        let chain = (0..<40).reduce(#"{"next":null,"kind":7}"#) { inner, _ in
            #"{"next":\#(inner),"kind":7}"#
        }
        let event = #"{"next":\#(chain),"kind":"a"}"#
        #expect(try sample(event, schema) == event)
    }

    @Test func `is written at once however many values of unions it has`() throws {
        let list = "[" + Array(repeating: "1", count: 262_144).joined(separator: ",") + "]"
        let type = #"{"type": "array", "items": ["null", "int"]}"#
        #expect(try sample("{\"x\":\(list)}", record(type)) == "{\"x\":\(list)}")
    }

    @Test func `has null for fields that are missing and may be null`() throws {
        #expect(try sample("{}", record(#"["string", "null"]"#)) == #"{"x":null}"#)
    }
}
