import JSON
import Testing

@Suite struct `A JSON text` {
    @Test(arguments: [
        "", " ", "{", "[", "[1", "[1,", "[1,]", "[,1]", "{]", "[}", "{\"a\"}", "{\"a\":}",
        "{\"a\":1,}",
        "{a:1}", "{'a':1}", "{\"a\" 1}", "{,}", "[1 2]", "1 2", "[]]", "{}}", "nul", "nulll",
        "True",
        "tru", "01", "-", "-01", "+1", "1.", ".5", "1.e3", "1e", "1e+", "0x10", "NaN", "Infinity",
        "\"", "\"a", "\"\\", "\"\\\"", "\"\\x\"", "\"\\u12\"", "\"\\u12g4\"", "\"\u{1}\"", "\"\n\"",
        "\"\t12345678\"", "'a'", "// x\n1", "[1,/**/2]", "\u{B}1", "\u{A0}1", "\u{0}", "1\u{0}",
    ])
    func `is rejected if it is outside the grammar`(_ text: String) {
        #expect(throws: JSONError.self) { try checked(text) }
    }

    @Test(arguments: [
        ("{\"a\":1,}", 7), ("[1,2", 4), ("[01]", 2), ("{\"a\":tru}", 5), ("\"ab\u{1}c\"", 3),
        ("[\"12345678\\x\"]", 10), ("1 x", 2), ("", 0), ("[1 2]", 3),
    ])
    func `is rejected with the byte of its mistake`(_ text: String, _ offset: Int) {
        #expect(fault(Array(text.utf8))?.offset == offset)
    }

    /// What follows a string decides how many bytes of it can be read at once.
    @Test(arguments: [0, 1, 7, 8, 15, 16, 33])
    func `is rejected with the byte of its mistake wherever that is in a string`(rest: Int) {
        for count in 1...40 {
            for position in 0..<count {
                for (byte, mistake) in [
                    (0x00, 0), (0x1F, 0), (0x80, 0), (0xA2, 0), (0xDC, 0), (0xFF, 0), (0x22, 1),
                ] {
                    var text = [UInt8](repeating: UInt8(ascii: "x"), count: count)
                    text[position] = UInt8(byte)
                    text = [UInt8(ascii: "\"")] + text + [UInt8(ascii: "\"")]
                    text += [UInt8](repeating: UInt8(ascii: " "), count: rest)
                    #expect(fault(text)?.offset == 1 + position + mistake)
                }
            }
        }
    }

    @Test func `may contain any ASCII but three kinds of characters in a string`() {
        for byte in 0x20...0x7F where byte != 0x22 && byte != 0x5C {
            for count in 1...40 {
                let text = [0x22] + [UInt8](repeating: UInt8(byte), count: count) + [0x22]
                #expect(fault(text) == nil)
            }
        }
    }

    @Test(arguments: [
        "\"\\ud800\"", "\"\\udc00\"", "\"\\ud800x\"", "\"\\ud800\\n\"", "\"\\ud800\\u0041\"",
        "\"\\ud83d\\ud83d\"", "\"\\udc00\\ud800\"", "{\"\\ud800\":1}", "\"\\ud800\\u\"",
    ])
    func `is rejected with an unpaired surrogate`(_ text: String) {
        #expect(throws: JSONError.self) { try checked(text) }
    }

    @Test(
        arguments: [
            [0x80], [0xC0, 0x80], [0xC1, 0xBF], [0xE0, 0x80, 0x80], [0xED, 0xA0, 0x80], [0xC3],
            [0xF0, 0x80, 0x80, 0x80], [0xF4, 0x90, 0x80, 0x80], [0xF5, 0x80, 0x80, 0x80], [0xFF],
            [0xE2, 0x82], [0xE2, 0x28, 0xA1], [0xF0, 0x9F, 0x98],
        ] as [[UInt8]])
    func `is rejected if it is not valid UTF-8`(_ bytes: [UInt8]) {
        let error = fault(Array("[\"ab".utf8) + bytes + Array("\"]".utf8))
        #expect(error?.offset == 4)
        #expect(error?.message == "invalid UTF-8")
    }

    @Test func `may nest 64 levels and not one more`() throws {
        let deep = String(repeating: "[", count: 64) + String(repeating: "]", count: 64)
        try checked(deep)
        try checked(
            String(repeating: "{\"a\":", count: 63) + "[]" + String(repeating: "}", count: 63))
        let deeper = fault(Array(("[" + deep + "]").utf8))
        #expect(deeper == JSONError(offset: 64, message: "nested deeper than 64 levels"))
    }

    @Test func `may follow a byte order mark`() throws {
        let bytes: [UInt8] = [0xEF, 0xBB, 0xBF] + Array("{\"a\":12}".utf8)
        #expect(try copied(String(decoding: bytes, as: UTF8.self)) == "{\"a\":12}")
        #expect(fault([0xEF, 0xBB, 0xBF, 0x78])?.offset == 3)
        #expect(fault([0xEF, 0xBB, 0xBF, 0xEF, 0xBB, 0xBF, 0x31]) != nil)
    }

    @Test func `leaves nothing behind if it is rejected`() throws {
        let text = try Parsed("[1,2,3]")
        #expect(throws: JSONError.self) { try text.read("[1,2,") }
        #expect(text.count == 0)
        try text.read("[4]")
        #expect(text.count == 2)
    }

    @Test func `keeps numbers as they are written`() throws {
        let text = "[1.10,1e6,18446744073709551616,1e999,-0,-0.0,0.10E-20]"
        #expect(try copied(text) == text)
    }

    @Test func `is copied without spaces and with the fewest escapes`() throws {
        let text =
            " { \"a b\" : [ 1 , true , null , \"x \\u0041\\/\\u00e9\\ud83d\\ude00\\t\\u0001\" ] } "
        #expect(try copied(text) == "{\"a b\":[1,true,null,\"x A/é😀\\t\\u0001\"]}")
        #expect(try copied("[ [ ] , { } , [ [ 1 ] ] ]") == "[[],{},[[1]]]")
        #expect(try copied("[\"a\",\"\\u0041\",\"b\"]") == "[\"a\",\"A\",\"b\"]")
        #expect(try copied("[\"\\u0041\" , \"\\u0042\"]") == "[\"A\",\"B\"]")
        #expect(try copied(" \"\\/\" ") == "\"/\"")
        #expect(try copied("{\"a b\":\" c \"}") == "{\"a b\":\" c \"}")
    }

    @Test(arguments: [
        #"{"a":[1,2,{"b":"c d"}],"e":{},"f":[],"long name here":"a string of some length"}"#,
        #"["a string of some length",-1.5e3,true,null,"é"]"#, #""a b""#, "17", "[[]]",
    ])
    func `is copied alike wherever white space is between its tokens`(_ text: String) throws {
        #expect(try copied(text) == text)
        for index in text.indices where ",:[]{}".contains(text[index]) {
            for space in [" ", "\n", "\t", "\r\n"] {
                var changed = text
                changed.insert(contentsOf: space, at: index)
                #expect(try copied(changed) == text)
                changed = text
                changed.insert(contentsOf: space, at: text.index(after: index))
                #expect(try copied(changed) == text)
            }
        }
        #expect(try copied(text.replacing("b", with: "\\u0062")) == text)
    }

    @Test func `finds a member's name among known ones, however it is written`() throws {
        var table = JSONPathTable()
        let start = table.add([.member("payload")])
        let names = ["aps", "alert", "badge", "a", "", "content-available", "content-changed"]
        let paths = names.map { table.add([.member($0)], from: start) }
        let written = [
            ("aps", 0), ("\\u0061ps", 0), ("alert", 1), ("badg\\u0065", 2), ("a", 3), ("", 4),
            ("ap", nil), ("apsx", nil), ("bodge", nil), ("\\n", nil), ("payload", nil),
            ("content-available", 5), ("content-changed", 6), ("content-availabl\\u0065", 5),
            ("content-changes", nil),
        ]
        for (text, index) in written {
            let bytes = Array("{\"\(text)\":\"aps\"}".utf8)
            var tape = JSONTape()
            try tape.read(bytes)
            for parent in [start, 0, paths[0]] {
                var found: Int?
                tape.forEachMember(
                    of: 0, extending: parent, of: table, in: unsafe bytes.span.bytes
                ) { path, value in
                    found = path
                    #expect(value == 2)
                    return true
                }
                let isPayload = parent == 0 && text == "payload"
                let expected = parent == start ? index.map { paths[$0] } : isPayload ? start : nil
                #expect(found == expected, "\(text)")
            }
        }
    }

    @Test func `returns the last of several members of one name`() throws {
        let text = try Parsed("{\"a\":1,\"b\":{\"a\":9},\"\\u0061\":2,\"aa\":3}")
        let found = try #require(text.member("a", of: 0))
        #expect(text.integer(found) == 2)
        #expect(text.member("c", of: 0) == nil)
        #expect(text.member("a", of: found) == nil)
    }

    @Test func `is walked by paths of names and indices`() throws {
        let text = try Parsed("{\"a\":[{\"b\":1},{\"longer name\":\"x\"}],\"c\":null}")
        #expect(text.find(.member("a"), .element(1), .member("longer name")) == "\"x\"")
        #expect(text.find(.member("a"), .element(0)) == "{\"b\":1}")
        #expect(text.find(.member("a"), .element(2)) == nil)
        #expect(text.find(.member("c"), .member("d")) == nil)
        #expect(text.find(.element(0)) == nil)
        #expect(text.find() == "{\"a\":[{\"b\":1},{\"longer name\":\"x\"}],\"c\":null}")
    }

    @Test func `grows the buffer only as needed`() throws {
        let text = "[" + (0..<5000).map(String.init).joined(separator: ",") + "]"
        #expect(try copied(text) == text)
    }

    @Test(arguments: [
        ("300", "3e2", 0), ("300", "300.00", 0), ("0", "-0.0e9", 0), ("1", "2", -1),
        ("-1", "-2", 1),
        ("-1", "1", -1), ("0.1", "0.10", 0), ("0.001", "1e-3", 0), ("0.0015", "0.0016", -1),
        ("9007199254740993", "9007199254740992", 1), ("1e999", "1e1000", -1), ("10", "9", 1),
        ("1e-99999999999999999999", "0", 1), ("123456789.5e-1", "12345678.95", 0), ("5", "0", 1),
        ("1e99999999999999999999", "1e5", 1), ("-5", "0", -1), ("12", "1.2e1", 0),
        ("12", "12.5", -1),
    ])
    func `compares its numbers by value`(_ left: String, _ right: String, _ order: Int) {
        #expect(JSONNumber.compare(Array(left.utf8), Array(right.utf8)).signum() == order)
        #expect(JSONNumber.compare(Array(right.utf8), Array(left.utf8)).signum() == -order)
    }

    @Test(
        arguments: [
            ("0", 0), ("-0", 0), ("9223372036854775807", .max), ("-9223372036854775808", .min),
            ("9223372036854775808", nil), ("-9223372036854775809", nil), ("1.0", nil), ("1e2", nil),
            ("99999999999999999999999999", nil),
        ] as [(String, Int64?)])
    func `returns a whole number only if it fits`(_ text: String, _ value: Int64?) throws {
        #expect(try Parsed(text).integer(0) == value)
    }
}

func checked(_ text: String) throws(JSONError) {
    var tape = JSONTape()
    try tape.read(Array(text.utf8))
}

func fault(_ bytes: [UInt8]) -> JSONError? {
    var tape = JSONTape()
    do throws(JSONError) { try tape.read(bytes) } catch { return error }
    return nil
}

func copied(_ text: String) throws -> String { try Parsed(text).json(0) }

@Suite struct `A tape of a text that is being written` {
    @Test func `is the same as that of the text`() throws {
        var text = ByteBuffer()
        var tape = JSONTape()
        for round in 0..<2 {
            text.removeAll()
            tape.removeAll()
            let object = open(.object, "{", &text, &tape)
            write(.string, #""na\nme""#, &text, &tape, hasEscapes: true)
            text.appendASCII(":")
            let array = open(.array, "[", &text, &tape)
            // More than a new tape has room for.
            for index in 0..<100 + round {
                if index > 0 { text.appendASCII(",") }
                write(.number, "\(index)", &text, &tape)
            }
            text.appendASCII("]")
            tape.close(array, at: text.count)
            text.appendASCII("}")
            tape.close(object, at: text.count)
            var read = JSONTape()
            try read.read(text.copy())
            let (count, expected) = (tape.count, read.count)
            #expect(count == expected)
            for index in 0..<count {
                let (node, other) = (tape[index], read[index])
                #expect(node == other)
            }
        }
    }

    private func open(
        _ kind: JSONKind, _ bracket: StaticString, _ text: inout ByteBuffer,
        _ tape: inout JSONTape
    ) -> Int {
        let node = tape.open(kind, at: text.count)
        text.appendASCII(bracket)
        return node
    }

    private func write(
        _ kind: JSONKind, _ token: String, _ text: inout ByteBuffer, _ tape: inout JSONTape,
        hasEscapes: Bool = false
    ) {
        let start = text.count
        text.append(Array(token.utf8))
        tape.append(kind, from: start, to: text.count, hasEscapes: hasEscapes)
    }
}
