import Avro
import Testing

/// What a connector sees of an event by a schema in a file, or why the event is not one.
private func sample(_ event: String, _ schema: String) throws -> String {
    let files = try AvroSchemaFiles([(path: "a.avsc", text: Array(schema.utf8))])
    do throws(AvroFault) {
        let text = try files.schemas[0].schema.sample(Array(event.utf8))
        return String(decoding: text, as: UTF8.self)
    } catch {
        return error.path.isEmpty ? error.message : "\(error.path): \(error.message)"
    }
}

/// A record with one field that has a default.
private func record(_ type: String, default text: String) -> String {
    """
    {"type": "record", "name": "R", "fields": [
     {"name": "x", "type": \(type), "default": \(text)}]}
    """
}

@Suite struct `A field that has a default and is missing in an event` {
    @Test(arguments: [
        (#""int""#, #""a""#, "expected a whole number of 32 bits, not \"a\""),
        (#""bytes""#, #""é€""#, "expected a string in Base64, not \"é€\""),
        (
            #"{"type": "fixed", "name": "F", "size": 2}"#, #""a""#,
            "expected 2 bytes in Base64, not \"a\""
        ),
        (
            #"{"type": "array", "items": "int"}"#, #"[1, null]"#,
            "'[1]': expected a whole number of 32 bits, not null"
        ),
    ])
    func `is named if its default does not fit`(
        type: String, text: String, expected: String
    ) throws {
        #expect(
            try sample("{}", record(type, default: text))
                == "x: its default does not fit: \(expected)")
    }

    @Test func `is refused if its default contains itself`() throws {
        let found = try sample("{}", record(#""R""#, default: "{}"))
        #expect(found.hasPrefix("x: its default does not fit:"), "\(found)")
        #expect(found.hasSuffix("its default contains too many others"), "\(found)")
    }

    @Test func `is refused if its default grows without bound`() throws {
        let types = (0..<30).map { level in
            let inner = level == 29 ? #""int""# : #""L\#(level + 1)""#
            let text = level == 29 ? "1" : "{}"
            return """
                {"type": "record", "name": "L\(level)", "fields": [
                 {"name": "a", "type": \(inner), "default": \(text)},
                 {"name": "b", "type": \(inner), "default": \(text)}]}
                """
        }
        let files = types.enumerated().map {
            (path: "\($0).avsc", text: Array($1.utf8))
        }
        let schema = try #require(AvroSchemaFiles(files).schemas.first?.schema)
        #expect(throws: AvroFault.self) { try schema.sample(Array("{}".utf8)) }
    }

    @Test(arguments: [
        (#""int""#, "5", "5"), (#""string""#, #""a\"b""#, #""a\"b""#),
        (#"["null", "string"]"#, "null", "null"), (#"["string", "null"]"#, #""a""#, #""a""#),
        (#"["int", "null"]"#, "null", "null"),
        (#""bytes""#, #""\u00ff""#, #""/w==""#),
        (#"{"type": "fixed", "name": "F", "size": 2}"#, #""\u0000a""#, #""AGE=""#),
        (
            #"{"type": "bytes", "logicalType": "decimal", "precision": 5, "scale": 2}"#,
            #""\u0001\u0000""#, "2.56"
        ),
        (#"{"type": "array", "items": "int"}"#, "[]", "[]"),
        (#"{"type": "map", "values": "string"}"#, #"{"a": "b"}"#, #"{"a":"b"}"#),
        (#"{"type": "enum", "name": "E", "symbols": ["A", "B"]}"#, #""B""#, #""B""#),
        (#"{"type": "int", "logicalType": "date"}"#, "1", #""1970-01-02""#),
        (
            #"{"type": "record", "name": "S", "fields": ["#
                + #"{"name": "a", "type": "int", "default": 1},"#
                + #"{"name": "b", "type": ["null", "int"]}]}"#,
            #"{"b": null}"#, #"{"a":1,"b":null}"#
        ),
    ])
    func `has its default`(type: String, text: String, expected: String) throws {
        #expect(try sample("{}", record(type, default: text)) == #"{"x":\#(expected)}"#)
    }

    @Test func `keeps what the event says`() throws {
        #expect(try sample(#"{"x": 6}"#, record(#""int""#, default: "5")) == #"{"x":6}"#)
    }

    @Test func `does not keep its record from being that of a union`() throws {
        let schema = """
            {"type": "record", "name": "R", "fields": [{"name": "who", "type": [
             {"type": "record", "name": "A", "fields": [{"name": "id", "type": "int"}]},
             {"type": "record", "name": "B", "fields": [{"name": "code", "type": "string"},
              {"name": "n", "type": "int", "default": 7}]}]}]}
            """
        #expect(
            try sample(#"{"who": {"code": "c"}}"#, schema) == #"{"who":{"code":"c","n":7}}"#)
    }
}
