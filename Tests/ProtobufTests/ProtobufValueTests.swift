import Protobuf
import Testing

@Suite struct `A message in Protobuf` {
    private static let order = """
        syntax = "proto3";
        package shop;
        enum Status { NEW = 0; SHIPPED = 1; }
        message Order {
          int64 orderId = 1;
          Status status = 2;
          string note = 3;
          bytes image = 4;
          bool is_gift = 5;
          double total = 6;
          float weight = 7;
          repeated Item items = 8;
          map<string, int32> counts = 9;
          optional int32 priority = 10;
          oneof contact { string mail = 11; string phone = 12; }
          Item first = 13;
          repeated sint32 steps = 14;
          uint64 size = 15;
          fixed32 small = 16;
          sfixed64 large = 17;
          message Item { string name = 1; Order parent = 2; }
        }
        """

    @Test func `has all fields that cannot be absent, by their own names`() throws {
        #expect(
            try json([], Self.order)
                == #"{"orderId":0,"status":"NEW","note":"","image":"","is_gift":false,"total":0,"#
                + #""weight":0,"items":[],"counts":{},"steps":[],"size":0,"small":0,"large":0}"#)
    }

    @Test func `is read with all its values`() throws {
        let item = field(1, "pen")
        let bytes =
            whole(1, .max) + whole(2, 1) + field(3, "a\"\u{1}ß") + field(4, [255, 0, 1, 2])
            + whole(5, 1) + double(6, 12.5) + float(7, 0.1) + field(8, item)
            + field(8, field(2, item)) + field(9, field(1, "de") + whole(2, 3)) + whole(10, 0)
            + field(12, "1") + field(11, "m") + field(13, [] as [UInt8]) + field(14, [1, 2, 3])
            + whole(14, 4) + whole(15, -1)
        let text = try json(bytes, Self.order)
        #expect(
            text.hasPrefix(
                #"{"orderId":9223372036854775807,"status":"SHIPPED","note":"a\"\u0001ß","#
                    + #""image":"/wABAg==","is_gift":true,"total":12.5,"weight":0.1,"#
                    + #""items":[{"name":"pen"},{"name":"","parent":{"orderId":0,"#))
        #expect(
            text.hasSuffix(
                #""counts":{"de":3},"priority":0,"mail":"m","first":{"name":""},"#
                    + #""steps":[-1,1,-2,2],"size":18446744073709551615,"small":0,"large":0}"#))
    }

    @Test func `takes the last of several values, and unites messages`() throws {
        let schema = message(
            "int32 a = 1; M m = 2; map<int32, string> n = 3; repeated int32 r = 4;")
        let bytes =
            whole(1, 1) + whole(1, 2) + field(2, whole(1, 7)) + field(2, whole(4, 8))
            + field(3, whole(1, 5) + field(2, "x")) + field(3, whole(1, 6))
            + field(3, field(2, "y") + whole(1, 5)) + field(2, whole(4, 9))
        #expect(
            try json(bytes, schema)
                == #"{"a":2,"m":{"a":7,"n":{},"r":[8,9]},"n":{"6":"","5":"y"},"r":[]}"#)
    }

    @Test func `ignores fields that its schema does not have`() throws {
        let schema = message("int32 a = 1; string s = 4; reserved 5 to 100;")
        let group: [UInt8] = [0x1B, 0x08, 0x01, 0x1B, 0x1C, 0x1C]
        let bytes =
            whole(9, 1) + group + field(2000, "x") + double(7, 1.0)
            + float(7, 1.0) + whole(1, 5) + whole(4, 9)
        #expect(try json(bytes, schema) == #"{"a":5,"s":""}"#)
    }

    @Test func `writes numbers of enums that have no name, where the language keeps them`() throws {
        let type = "enum E { A = 0; B = -1; }"
        #expect(
            try json(
                whole(1, 5) + field(2, [0, 7]),
                "syntax = \"proto3\"; message M { E e = 1; repeated E r = 2; } \(type)")
                == #"{"e":5,"r":["A",7]}"#)
        let old = "message M { optional E e = 1; required E q = 3; } \(type)"
        #expect(try json(whole(1, 5) + whole(3, -1), old) == #"{"q":"B"}"#)
    }

    @Test func `reads the older language with its groups and defaults`() throws {
        let schema = """
            syntax = "proto2";
            message M {
              optional int32 a = 1 [default = 7];
              repeated group Line = 2 { optional string text = 3; }
              extensions 100 to 200;
            }
            extend M { optional string more = 100; }
            """
        let line: [UInt8] = [0x13] + field(3, "x") + [0x14]
        #expect(try json(line + line, schema) == #"{"line":[{"text":"x"},{"text":"x"}]}"#)
        #expect(try json(whole(1, 0) + field(100, "m"), schema) == #"{"a":0,"line":[]}"#)
    }

    @Test func `writes numbers as people do, without loss`() throws {
        let schema = message("double d = 1; float f = 2;")
        for (value, text) in [
            (3, "3"), (100_000, "100000"), (0.1, "0.1"), (-2.5, "-2.5"),
            (1e16, "10000000000000000"),
            (1e20, "1e+20"), (0.00001, "0.00001"), (1e-7, "1e-07"),
            (.leastNonzeroMagnitude, "5e-324"),
            (.nan, "null"), (.infinity, "null"), (-.infinity, "null"), (-0.0, "-0"),
            (9_007_199_254_740_992, "9007199254740992"),
        ] as [(Double, String)] {
            #expect(try json(double(1, value), schema) == #"{"d":\#(text),"f":0}"#)
        }
        #expect(
            try json(float(2, 16_777_216), schema) == #"{"d":0,"f":16777216}"#)
        #expect(try json(float(2, .nan), schema) == #"{"d":0,"f":null}"#)
    }
}

@Suite struct `What Google's own messages become` {
    @Test func `times are RFC 3339, and durations are seconds`() throws {
        let schema = message(
            "google.protobuf.Timestamp t = 1; google.protobuf.Duration d = 2;",
            imports: ["timestamp", "duration"])
        func time(_ seconds: Int64, _ nanos: Int64) throws -> String {
            try json(field(1, whole(1, seconds) + whole(2, nanos)), schema)
        }
        #expect(try time(0, 0) == #"{"t":"1970-01-01T00:00:00Z"}"#)
        #expect(try time(951_782_400, 120_000_000) == #"{"t":"2000-02-29T00:00:00.120Z"}"#)
        #expect(try time(-62_135_596_800, 1_000) == #"{"t":"0001-01-01T00:00:00.000001Z"}"#)
        #expect(try time(253_402_300_799, 1) == #"{"t":"9999-12-31T23:59:59.000000001Z"}"#)
        #expect(try time(-1, 0) == #"{"t":"1969-12-31T23:59:59Z"}"#)
        #expect(try time(1_772_323_199, 0) == #"{"t":"2026-02-28T23:59:59Z"}"#)
        for (seconds, nanos) in [
            (253_402_300_800, 0), (-62_135_596_801, 0), (0, -1), (0, 1_000_000_000), (.min, 0),
        ] as [(Int64, Int64)] {
            #expect(try time(seconds, nanos) == #"{"t":null}"#)
        }
        func duration(_ seconds: Int64, _ nanos: Int64) throws -> String {
            try json(field(2, whole(1, seconds) + whole(2, nanos)), schema)
        }
        #expect(try duration(3, 500_000_000) == #"{"d":3.5}"#)
        #expect(try duration(0, -1) == #"{"d":-0.000000001}"#)
        #expect(try duration(-90, 0) == #"{"d":-90}"#)
        #expect(try duration(1, -1) == #"{"d":null}"#)
        #expect(try duration(.min, 0) == #"{"d":null}"#)
    }

    @Test func `wrappers are bare, and absent without a value`() throws {
        let schema = message(
            "google.protobuf.StringValue s = 1; google.protobuf.Int64Value i = 2;"
                + " repeated google.protobuf.BoolValue b = 3; google.protobuf.BytesValue y = 4;",
            imports: ["wrappers"])
        #expect(
            try json(
                field(1, [] as [UInt8]) + field(2, whole(1, -5)) + field(3, whole(1, 1))
                    + field(3, [] as [UInt8]), schema) == #"{"s":"","i":-5,"b":[true,false]}"#)
        #expect(try json(field(4, field(1, [9])), schema) == #"{"b":[],"y":"CQ=="}"#)
    }

    @Test func `structures are the JSON that they contain`() throws {
        let schema = message("google.protobuf.Struct s = 1;", imports: ["struct"])
        func member(_ key: String, _ value: [UInt8]) -> [UInt8] {
            field(1, field(1, key) + field(2, value))
        }
        let list = field(6, field(1, double(2, 1.5)) + field(1, field(5, member("x", []))))
        let bytes =
            member("n", whole(1, 0)) + member("d", double(2, 12))
            + member("t", field(3, "a")) + member("b", whole(4, 1)) + member("l", list)
            + member("n", double(2, Double.nan))
        #expect(
            try json(field(1, bytes), schema)
                == #"{"s":{"d":12,"t":"a","b":true,"l":[1.5,{"x":null}],"n":null}}"#)
    }

    @Test func `values of any type are read where the schema has it`() throws {
        let schema =
            message("google.protobuf.Any a = 1;", imports: ["any"])
            + "message N { string s = 1; M m = 2; }"
        func any(_ type: String, _ value: [UInt8]) throws -> String {
            try json(field(1, field(1, type) + field(2, value)), schema)
        }
        #expect(
            try any("type.googleapis.com/N", field(1, "x"))
                == #"{"a":{"@type":"type.googleapis.com/N","s":"x"}}"#)
        let inner = field(1, field(1, "/N") + field(2, field(1, "y")))
        #expect(
            try any("t/N", field(2, inner))
                == #"{"a":{"@type":"t/N","s":"","m":{"a":{"@type":"/N","s":"y"}}}}"#)
        #expect(
            try any("t/google.protobuf.Duration", whole(1, 3))
                == #"{"a":{"@type":"t/google.protobuf.Duration","value":3}}"#)
        #expect(try any("t/Unknown", [1, 2]) == #"{"a":{"@type":"t/Unknown","value":"AQI="}}"#)
        #expect(try any("", []) == #"{"a":{}}"#)
        #expect(
            try fault(field(1, field(1, "t/N") + field(2, [0x0A, 9])), schema)
                == "a.s: it has 9 bytes, but 0 are left")
    }
}

@Suite struct `The message of a record` {
    private static let schema = """
        syntax = "proto3";
        package shop;
        message First { int32 a = 1; message Inner { int32 b = 1; } }
        message Second { int32 c = 1; map<string, int32> m = 2; message Inner { int32 d = 1; } }
        """

    @Test func `is at the indexes in front of it, or in the header`() throws {
        for (indexes, text) in [
            ([0], #"{"a":0}"#), ([2, 0], #"{"a":0}"#), ([2, 2], #"{"c":0,"m":{}}"#),
            ([4, 0, 0], #"{"b":0}"#), ([4, 2, 2], #"{"d":0}"#),
        ] as [([UInt8], String)] {
            #expect(try json(indexes, Self.schema, location: .indexes) == text)
            #expect(try json([], Self.schema, location: .header([7] + indexes, from: 1)) == text)
        }
    }

    @Test func `is not there at indexes that lead nowhere`() throws {
        for (indexes, text) in [
            ([2, 4], "the schema has no message at [2] at byte 0"),
            ([2, 1], "the schema has no message at [-1] at byte 0"),
            ([4, 2, 0], "the schema has no message at [1, 0] at byte 0"),
            ([1], "-1 is not the number of a message's indexes at byte 0"),
            ([0x84, 0x01], "66 is not the number of a message's indexes at byte 0"),
            ([], "the record ends too early at byte 0"),
            ([4, 0], "the record ends too early at byte 2"),
            ([UInt8](repeating: 0xFF, count: 11), "a number has more than 64 bits at byte 0"),
        ] as [([UInt8], String)] {
            #expect(try fault(indexes, Self.schema, location: .indexes) == text)
        }
        #expect(
            try fault([], Self.schema, location: .header([0, 9], from: 0))
                == "in the header: bytes follow the indexes of the message")
        #expect(
            try fault([], Self.schema, location: .header([], from: 0))
                == "in the header: the record ends too early")
    }

    @Test func `is named by Apicurio's serializers`() throws {
        func named(_ name: String, _ rest: [UInt8] = []) -> [UInt8] {
            let content = field(1, name)
            return varint(UInt64(content.count)) + content + rest
        }
        for (name, text) in [
            ("Second", #"{"c":7,"m":{}}"#), ("shop.Second", #"{"c":7,"m":{}}"#),
            ("First.Inner", #"{"b":7}"#), ("Inner", #"{"b":7}"#), ("Second.Inner", #"{"d":7}"#),
        ] {
            #expect(try json(named(name, whole(1, 7)), Self.schema, location: .name) == text)
        }
        #expect(
            try fault(named("Third"), Self.schema, location: .name)
                == "the schema has no message 'Third' at byte 0")
        for bytes in [[], [0], [5, 0x0A, 9], [2, 0x08, 1], [200, 1, 0x0A]] as [[UInt8]] {
            #expect(
                try fault(bytes, Self.schema, location: .name).hasPrefix(
                    bytes.isEmpty ? "the record ends" : "it does not begin with a message's name"))
        }
    }
}
