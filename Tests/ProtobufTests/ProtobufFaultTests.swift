import JSON
import Protobuf
import Testing

@Suite struct `Bytes that are not a message of the schema` {
    private static let schema = message(
        "int32 id = 1; repeated Item items = 2; message Item { string name = 1; fixed64 f = 2; }")

    @Test func `name the field and the byte`() throws {
        let item = field(1, "pen")
        #expect(
            try fault(field(2, item) + whole(1, 5) + field(2, [0x0A, 90, 65]), Self.schema)
                == "items[1].name: it has 90 bytes, but 1 are left at byte 12")
        #expect(
            try fault(field(2, [0x0A, 2, 0xC3, 0x28]), Self.schema)
                == "items[0].name: the string is not valid UTF-8 at byte 3")
        #expect(
            try fault(field(2, [0x11, 1, 2]), Self.schema)
                == "items[0].f: the record ends too early at byte 5")
    }

    @Test(
        arguments: [
            [0xC0, 0x80], [0xED, 0xA0, 0x80], [0xE0, 0x80, 0x80], [0xF0, 0x80, 0x80, 0x80],
            [0xF4, 0x90, 0x80, 0x80], [0xF5, 0x80, 0x80, 0x80], [0x80], [0xE2, 0x82],
        ] as [[UInt8]])
    func `contain text that is not UTF-8`(text: [UInt8]) throws {
        for version in ["proto2", "proto3"] {
            let schema = "syntax = \"\(version)\"; message M { repeated string s = 1; }"
            #expect(
                try fault(field(1, text), schema)
                    == "s[0]: the string is not valid UTF-8 at byte 1")
        }
    }

    @Test func `end too early or are no fields`() throws {
        for (bytes, text) in [
            ([0x08], "id: the record ends too early at byte 1"),
            ([0x08, 0x80], "id: the record ends too early at byte 2"),
            ([0x80], "the record ends too early at byte 1"),
            ([0x00, 0x00], "there is no field 0 at byte 0"),
            ([0x0E], "id: there is no wire type 6 at byte 0"),
            ([0x1C], "a group ends that has not begun at byte 0"),
            ([0x1B], "the record ends within a group at byte 1"),
            ([0x1B, 0x24], "a group ends that has not begun at byte 1"),
            (
                [0x80, 0x80, 0x80, 0x80, 0x7F],
                "there is no field 4261412864 at byte 0"
            ),
            (
                [0x88, 0x80, 0x80, 0x80, 0x80, 0x00, 0x05],
                "the number of a field or a size has more than 5 bytes at byte 0"
            ),
            (
                [0x12, 0x82, 0x80, 0x80, 0x80, 0x80, 0x00, 0x0A, 0x00],
                "items[0]: the number of a field or a size has more than 5 bytes at byte 1"
            ),
            (
                [0x08] + [UInt8](repeating: 0xFF, count: 10) + [1],
                "id: a number has more than 64 bits at byte 1"
            ),
            (
                [0x12] + [UInt8](repeating: 0xFF, count: 9) + [1],
                "items[0]: it has 18446744073709551615 bytes, but 0 are left at byte 1"
            ),
        ] as [([UInt8], String)] {
            #expect(try fault(bytes, Self.schema) == text)
        }
    }

    @Test func `nest deeper than JSON or messages may`() throws {
        var bytes: [UInt8] = []
        for _ in 0..<63 { bytes = field(1, bytes) }
        let schema = message("M m = 1;")
        #expect(try json(bytes, schema).hasSuffix(String(repeating: "}", count: 64)))
        let expected = [String](repeating: "m", count: 64).joined(separator: ".")
        #expect(
            try fault(field(1, bytes), schema) == "\(expected): nested deeper than 64 levels")
        for _ in 0..<40 { bytes = field(1, bytes) }
        #expect(
            try fault(bytes, schema).contains("messages are nested deeper than 100 levels at byte"))
        let groups = [UInt8](repeating: 0x0B, count: 100_000)
        #expect(
            try fault(groups, schema).hasSuffix(
                "messages are nested deeper than 100 levels at byte 101"))
    }

    @Test func `contain an Any without end`() throws {
        let schema = message("google.protobuf.Any a = 1;", imports: ["any"])
        var bytes: [UInt8] = []
        for _ in 0..<70 { bytes = field(1, field(1, "t/M") + field(2, bytes)) }
        #expect(try fault(bytes, schema).hasSuffix("nested deeper than 64 levels"))
    }

    @Test func `contain one Any in the other around much that is unknown`() throws {
        let schema = message("google.protobuf.Any a = 1;", imports: ["any"])
        var bytes = field(9, [UInt8](repeating: 0, count: 3 << 20))
        for _ in 0..<40 { bytes = field(1, field(1, "t/M") + field(2, bytes)) }
        #expect(
            try fault(bytes, schema).hasSuffix("it takes more than 67108864 bytes of memory"))
    }

    @Test func `would take more memory or text than they may`() throws {
        let many = [UInt8](repeating: 0, count: 300_000)
        #expect(
            try fault(field(1, many), message("repeated int32 r = 1;"))
                == "r[0]: more than 262144 items at byte 262148")
        let wide = (1...2_000).map { "optional int32 f\($0) = \($0);" }.joined(separator: "\n")
        let record = (0..<4_000).flatMap { _ in field(3_000, [] as [UInt8]) }
        #expect(
            try fault(record, message(wide + " repeated M m = 3000;")).contains(
                "it takes more than 67108864 bytes of memory"))
        let long = String(repeating: "x", count: 1 << 20)
        #expect(
            try fault(field(1, long), message("string s = 1;"))
                == "its JSON text is longer than 1048576 bytes")
        let unknown = [UInt8](repeating: 0, count: 1 << 21).enumerated().map {
            $0.offset % 2 == 0 ? UInt8(0x7A) : 0
        }
        #expect(
            try fault(unknown + unknown, message("string s = 1;")).contains(
                "it takes more than 67108864 bytes of memory"))
        #expect(
            try fault([UInt8](repeating: 0, count: (4 << 20) + 1), message("string s = 1;"))
                == "the record has more than 4 MiB")
    }

    @Test func `leave a reader that reads the next record`() throws {
        let schema = try ProtobufSchema(Array(Self.schema.utf8))
        var reader = ProtobufReader()
        for _ in 0..<3 {
            #expect(read([0, 0x0E], schema, .indexes, &reader) != nil)
            #expect(reader.text.count == 0)
            #expect(read([0] + whole(1, 5), schema, .indexes, &reader) == nil)
            #expect(String(decoding: reader.text.copy(), as: UTF8.self) == #"{"id":5,"items":[]}"#)
        }
    }
}

/// A text over and over.
private func chain(_ text: String, _ count: Int) -> String { String(repeating: text, count: count) }

@Suite struct `A schema in Protobuf` {
    @Test func `names what is wrong with it`() {
        #expect(
            schemaFault("message M { optional int32 a = 1 }")
                == "Expected \";\" at line 1, column 34")
        #expect(schemaFault("") == "it has no messages")
        #expect(schemaFault("enum E { A = 0; }") == "it has no messages")
        #expect(schemaFault("{}").contains("at line 1"))
        #expect(schemaFault("message M { optional N n = 1; }") == "M.n: \"N\" is not defined")
        #expect(schemaFault(message("int32 a = 1; int32 b = 1;")).hasPrefix("M.b: "))
        #expect(schemaFault("message M {} message M {}").contains("already defined"))
        #expect(schemaFault("edition = \"2023\"; message M {}").contains("at line 1"))
        #expect(schemaFault("\u{0}\u{1}\"") != "no fault")
    }

    @Test func `imports files in any order, each once`() throws {
        let files = [
            ("b.proto", "syntax = \"proto3\"; import \"a.proto\"; message B { A a = 1; }"),
            ("a.proto", "syntax = \"proto3\"; message A { int32 x = 1; }"),
            ("a.proto", "syntax = \"proto3\"; message Other {}"),
            ("google/protobuf/timestamp.proto", "nonsense"),
            ("p.proto", "syntax = \"proto3\"; import public \"b.proto\";"),
        ]
        let main = """
            syntax = "proto3";
            import "p.proto"; import "missing/annotations.proto";
            import "google/protobuf/any.proto";
            option java_package = "x"; option (company.owner) = "y";
            message M { B b = 1 [(validate.rules).string.min_len = 1, json_name = "q"]; }
            """
        #expect(
            try json(field(1, field(1, whole(1, 5))), main, files: files)
                == #"{"b":{"a":{"x":5}}}"#)
    }

    @Test(arguments: [
        ("google/type/calendar_period", "CalendarPeriod"), ("google/type/color", "Color"),
        ("google/type/date", "Date"), ("google/type/datetime", "DateTime"),
        ("google/type/dayofweek", "DayOfWeek"), ("google/type/decimal", "Decimal"),
        ("google/type/expr", "Expr"), ("google/type/fraction", "Fraction"),
        ("google/type/interval", "Interval"), ("google/type/latlng", "LatLng"),
        ("google/type/localized_text", "LocalizedText"), ("google/type/money", "Money"),
        ("google/type/month", "Month"), ("google/type/phone_number", "PhoneNumber"),
        ("google/type/postal_address", "PostalAddress"),
        ("google/type/quaternion", "Quaternion"), ("google/type/timeofday", "TimeOfDay"),
        ("confluent/type/decimal", "Decimal"), ("confluent/types/decimal", "Decimal"),
    ])
    func `imports what every client has, without a reference`(file: String, type: String) {
        let package = file.hasPrefix("google") ? "google.type" : "confluent.type"
        #expect(
            schemaFault(
                "syntax = \"proto3\"; import \"\(file).proto\";"
                    + " message M { \(package).\(type) x = 1; }"
            ) == "no fault")
    }

    @Test func `reads an amount of money`() throws {
        let main =
            "syntax = \"proto3\"; import \"google/type/money.proto\";"
            + " message M { google.type.Money m = 1; }"
        #expect(
            try json(field(1, field(1, "EUR") + whole(2, 12) + whole(3, 500_000_000)), main)
                == #"{"m":{"currency_code":"EUR","units":12,"nanos":500000000}}"#)
    }

    @Test func `cannot be used if an import is missing, broken or circular`() {
        let main = "syntax = \"proto3\"; import \"a.proto\"; message M { A a = 1; }"
        #expect(schemaFault(main) == "M.a: \"A\" is not defined")
        #expect(schemaFault(main, files: [("a.proto", "message")]).hasPrefix("a.proto: "))
        #expect(
            schemaFault(main, files: [("a.proto", "import \"a.proto\"; message A {}")])
                == "'a.proto' imports itself")
        #expect(
            schemaFault(
                main,
                files: [
                    ("a.proto", "import \"b.proto\"; message A {}"),
                    ("b.proto", "import \"a.proto\";"),
                ]) == "'a.proto' imports itself")
        let chain = (0..<80).map { ("\($0).proto", "import \"\($0 + 1).proto\";") }
        #expect(
            schemaFault("import \"0.proto\"; message M {}", files: chain)
                == "its imports are nested too deeply")
    }

    @Test func `takes no name of libprotobuf's own messages for its meaning`() throws {
        let files = [
            (
                "own.proto",
                "syntax = \"proto3\"; package google.protobuf; message Wrapped { string x = 9; }"
            )
        ]
        let main =
            "syntax = \"proto3\"; import \"own.proto\";"
            + " message M { google.protobuf.Wrapped w = 1; }"
        #expect(try json(field(1, field(9, "y")), main, files: files) == #"{"w":{"x":"y"}}"#)
    }

    @Test(arguments: [
        String(repeating: "message M { ", count: 100_000),
        "package \([String](repeating: "a", count: 300_000).joined(separator: "."));",
        "option (o) = { \(String(repeating: "a { ", count: 200_000))",
        "message M { optional \(chain("a.", 300_000))a f = 1; }",
        "message M { map<\(String(repeating: "map<", count: 200_000))",
        "message \(String(repeating: "M", count: 100_000)) {}",
        "message M { repeated int32 a = 1 [default = \(chain("-", 500_000))1]; }",
        "message M { reserved \(chain("1,", 200_000))1; }",
        "enum E { \((0..<30_000).map { "A\($0) = 0;" }.joined()) } message M {}",
        String(repeating: "/*", count: 500_000), String(repeating: "import \"x\";", count: 90_000),
    ])
    func `that is hostile takes no long time and ends nothing`(text: String) {
        let started = ContinuousClock.now
        _ = schemaFault(text)
        #expect(started.duration(to: .now) < .seconds(20))
    }

    /// libprotobuf prepares types that refer to each other by recursion.
    @Test(arguments: [499, 20_000])
    func `may have types that refer to each other in a long chain`(count: Int) throws {
        let types = (0..<count).map { "message m\($0) { m\($0 + 1) a = 1; }" }
        let text = "syntax = \"proto3\"; \(types.joined(separator: " ")) message m\(count) {}"
        #expect(try json(field(1, field(1, [] as [UInt8])), text) == #"{"a":{"a":{}}}"#)
    }

    @Test func `may have many fields, and says how much memory they take`() throws {
        let fields = (1...15_000).map { "int32 f\($0) = \($0);" }.joined(separator: "\n")
        let schema = try ProtobufSchema(Array(message(fields).utf8))
        #expect(schema.byteCount > 5_000_000 && schema.byteCount < 30_000_000)
        #expect(schemaFault(String(repeating: " ", count: (1 << 20) + 1)).contains("the limit is"))
        let deep = (0..<60).map { "message \(String(repeating: "n", count: 400))\($0) {" }.joined()
        let many = (1...9_000).map { "optional int32 f\($0) = \($0);" }.joined()
        #expect(
            schemaFault(deep + many + String(repeating: "}", count: 60))
                == "its full names have more than 16777216 bytes")
    }
}
