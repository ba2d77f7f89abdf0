import Delivery
import Mapping
import Testing

@Suite struct `An invalid template` {
    @Test(arguments: [
        ("${a??}", 6, "expected a value after '??'"),
        ("${a? ?? b}", 6, "'?' must come last"),
        ("${a | upper ?? \"x\"}", 13, "'??' must come before '|'"),
        ("${a ?? \"${b}\"}", 9, "templates cannot be nested"),
        ("${a.0.b}", 4, "a name cannot start with a digit"),
        ("${a[-1]}", 5, "indices start at 0"),
        ("${@headers.x.trace}", 13, "nothing can follow a header's name"),
        ("${}", 1, "'${}' is empty"),
        ("x ${a", 3, "'${' is not closed"),
        ("${true}", 3, "expected a path first"),
        ("${config:HOME}", 1, "unknown source 'config:': only 'env:' and 'file:' are available"),
        ("${VAR:-d}", 1, "unknown source 'VAR:': only 'env:' and 'file:' are available"),
        ("${! json(\"a.b\") }", 1, "'${!' is Redpanda syntax, which is not supported here"),
        ("${a[*].b[*]}", 9, "a path can contain [*] only once"),
        ("${a + b}", 5, "templates do not support arithmetic"),
        ("${a[+]}", 5, "expected an index, * or a quoted name"),
        ("${@bogus}", 3, "unknown metadata '@bogus'"),
        ("${@key.x}", 1, "'@key' is text: nothing can follow it"),
        ("${@offset.x}", 10, "nothing can follow metadata"),
        ("${a ?? 01}", 8, "'01' is not a JSON number"),
        ("${a ?? \"\\x\"}", 9, "unknown escape sequence"),
        ("${a | uper}", 7, "unknown transform 'uper'"),
        ("${a[*].b | hex}", 12, "'hex' takes a string, but '[*]' produces a list"),
        ("${a | date(\"%H\")}", 7, "'date' takes a format in quotation marks and a zone"),
        ("${a | upper(1)}", 7, "'upper' takes no value"),
        ("${a | default}", 7, "'default' takes one value"),
        ("${@ce.type}", 1, "'@ce' is only valid with CloudEvents"),
    ])
    func `is rejected with its column`(_ text: String, _ column: Int, _ message: String) {
        let found = problems(minimal.with(["payload": ["aps": ["alert": .plain(text)]]]))
        #expect(found.first?.message == message)
        #expect(found.first?.location == MappingLocation(line: 8, column: 9 + column))
        #expect(found.first?.isWarning == false)
    }

    @Test(arguments: [
        ("${a? ?? b}", "put '?' last: ${a ?? b?}"),
        ("${a ?? \"${b}\"}", "write ${a ?? b}"),
        ("${a.0.b}", "write [0] for an element, [\"0\"] for a member named 0"),
        ("${@headers.x.trace}", "write @headers[\"x.trace\"]"),
        ("${a | uper}", "did you mean 'upper'?"),
        ("${a || b}", "write ?? instead: ${a ?? \"text\"}"),
        ("${a[*] | upper}", "select one element, such as [0], or start with | join(\",\")"),
        ("${VAR:-d}", "for an environment variable write ${env:VAR ?? \"d\"}"),
    ])
    func `is rejected with what to write instead`(_ text: String, _ remedy: String) {
        let found = problems(minimal.with(["payload": ["aps": ["alert": .plain(text)]]]))
        #expect(found.first?.remedy == remedy)
    }

    @Test func `in quotation marks is reported with its column after the mark`() {
        let found = problems(minimal.with(["payload": ["aps": ["alert": "ab ${}"]]]))
        #expect(found.first?.location == MappingLocation(line: 8, column: 14))
    }

    @Test func `in a text with escapes is reported with the column of the text`() {
        let text = MappingSource.scalar(
            text: "a\n${}", style: .quoted, location: MappingLocation(line: 3, column: 7),
            end: MappingLocation(line: 3, column: 15))
        let found = problems(minimal.with(["payload": ["aps": ["alert": text]]]))
        #expect(found.first?.location == MappingLocation(line: 3, column: 7))
    }

    @Test func `is rejected in keys, in device_token and in loc-args`() {
        #expect(
            problems(minimal.with(["payload": ["aps": ["alert": "a"], "${k}": 1]])).first?.message
                == "a key cannot be a template")
        #expect(
            problems(minimal.with(["device_token": "${a?}"])).first?.message.hasPrefix(
                "'?' is not allowed here") == true)
        let shifting: MappingSource = [
            "aps": ["alert": ["loc-key": "K", "loc-args": ["${a?}", "b"]]]
        ]
        #expect(
            problems(minimal.with(["payload": shifting])).first?.message.hasPrefix(
                "'?' is not allowed here") == true)
    }
}

@Suite struct `A template` {
    let event = """
        {"a":"A","b":"B","n":1.10,"t":true,"nul":null,"o":{"x": [1, null]},"e":"","z":0,\
        "list":[1,"two",{"k":null}],"a0":[{"b":"in"}],"detail-type":"DT","@timestamp":"ECS",\
        "devices":[{"token":"t1"},{"x":1},{"token":null},{"token":"t2"}],"price":"5",\
        "d":{"0":"zero"}}
        """

    @Test(arguments: [
        ("${a ?? b ?? \"text\"}", ",\"v\":\"A\""),
        ("${q ?? b ?? \"text\"}", ",\"v\":\"B\""),
        ("${q ?? r ?? \"text\"}", ",\"v\":\"text\""),
        ("${q ?? r? | upper}", ""),
        ("${a ?? r? | lower}", ",\"v\":\"a\""),
        ("Hi ${name?}", ""),
        ("$${a}", ",\"v\":\"${a}\""),
        ("$$${a}", ",\"v\":\"$${a}\""),
        ("${\"$\"}${price}", ",\"v\":\"$5\""),
        ("${q ?? \"}\"}", ",\"v\":\"}\""),
        ("${q ?? a}", ",\"v\":\"A\""),
        ("${detail-type}", ",\"v\":\"DT\""),
        ("${[\"@timestamp\"]}", ",\"v\":\"ECS\""),
        ("${@timestamp}", ",\"v\":1767261600000"),
        ("${devices[*].token}", ",\"v\":[\"t1\",\"t2\"]"),
        ("${nothing[*].token?}", ""),
        ("${ a }", ",\"v\":\"A\""),
        (" ${a}", ",\"v\":\" A\""),
        ("${q ?? 'it\\'s'}", ",\"v\":\"it's\""),
        ("${a0[0].b}", ",\"v\":\"in\""),
        ("${d[\"0\"]}", ",\"v\":\"zero\""),
        ("$a { } $ }", ",\"v\":\"$a { } $ }\""),
        ("${q ?? \"\\u00e9\\ud83d\\ude00\\n\"}", ",\"v\":\"é😀\\n\""),
        ("${a}${b}", ",\"v\":\"AB\""),
        ("", ",\"v\":\"\""),
    ])
    func `has the meaning in the table`(_ text: String, _ result: String) throws {
        #expect(try written(MappingSource(stringLiteral: text), of: event) == result)
    }

    @Test func `after a dollar sign is a string, with a warning`() {
        let found = problems(minimal.with(["payload": ["aps": ["alert": "$${price}"]]]))
        #expect(found.map(\.isWarning) == [true])
        #expect(found.first?.remedy?.contains("${\"$\"}") == true)
    }

    @Test(arguments: [
        "100%", "#1", "$5.99", "$name", "{}", "{a}", "{\"a\": 1}", "{{}}", "a $ b", "%{}", "{% %",
        "{{", "{{${a}}}", "#{${a}}", "C$", "%1$@", "{a.b", "(a)", "50 % {b}",
    ])
    func `is not found in text that is meant as it is`(_ text: String) {
        let found = problems(
            minimal.with(["payload": ["aps": ["alert": MappingSource(stringLiteral: text)]]]))
        #expect(found == [])
    }

    @Test func `whose default begins with a capital letter causes a question`() {
        let found = problems(minimal.with(["payload": ["aps": ["alert": "${a ?? Guest}"]]]))
        #expect(found.map(\.isWarning) == [true])
        #expect(found.first?.remedy == "did you mean \"Guest\"?")
    }

    @Test(arguments: [
        ("${n}", "1.10"), ("${t}", "true"), ("${o}", "{\"x\":[1,null]}"), ("${e}", "\"\""),
        ("${z}", "0"), ("${list}", "[1,\"two\",{\"k\":null}]"), ("${q ?? 0}", "0"),
        ("${q ?? \"0\"}", "\"0\""), ("${q ?? false}", "false"), ("${q ?? -1.50e3}", "-1.50e3"),
        ("${@offset}", "42"), ("${@partition}", "3"), ("${@topic}", "\"shop.orders\""),
    ])
    func `keeps the JSON type if it is the whole value`(_ text: String, _ result: String) throws {
        #expect(
            try written(MappingSource(stringLiteral: text), of: event) == ",\"v\":" + result)
    }

    @Test(arguments: [
        ("<${n}>", "<1.10>"), ("<${t}>", "<true>"), ("<${e}>", "<>"), ("<${z}>", "<0>"),
        ("<${o | json}>", "<{\\\"x\\\":[1,null]}>"), ("<${q ?? 2.50}>", "<2.50>"),
    ])
    func `becomes text within text`(_ text: String, _ result: String) throws {
        #expect(
            try written(MappingSource(stringLiteral: text), of: event) == ",\"v\":\"\(result)\"")
    }

    @Test(arguments: ["<${o}>", "<${list}>", "<${devices[*].token}>"])
    func `accepts no object and no array within text`(_ text: String) throws {
        #expect(try written(MappingSource(stringLiteral: text), of: event) == "wrong_type")
    }

    @Test(arguments: [
        "${nul}", "${q}", "${list[3]}", "${a.b}", "${list[2].k}", "${z[0]}", "<${nul}>",
    ])
    func `drops the notification if it finds nothing`(_ text: String) throws {
        #expect(try written(MappingSource(stringLiteral: text), of: event) == "missing_field")
    }

    @Test(arguments: [
        ("${a | lower}", "\"a\""), ("${q ?? \"straße\" | upper}", "\"STRASSE\""),
        ("${q ?? \"  x \" | trim}", "\"x\""), ("${n | text}", "\"1.10\""),
        ("${price | number}", "5"), ("${o | json}", "\"{\\\"x\\\":[1,null]}\""),
        ("${q | upper | default(\"none\")}", "\"none\""), ("${e | nonempty | default(a)}", "\"A\""),
        ("${a | json}", "\"\\\"A\\\"\""), ("${list | length}", "3"), ("${o | length}", "1"),
        ("${q ?? \"a😀é\" | length}", "3"), ("${devices[*].token | length}", "2"),
        ("${q | default(r ?? 7)}", "7"), ("${a | default(\"x\") | lower}", "\"a\""),
    ])
    func `transforms its value`(_ text: String, _ result: String) throws {
        #expect(
            try written(MappingSource(stringLiteral: text), of: event) == ",\"v\":" + result)
    }

    @Test(arguments: [
        "${n | upper}", "${a | number}", "${o | text}", "${z | length}", "${t | nonempty}",
    ])
    func `does not transform a value of another type`(_ text: String) throws {
        #expect(try written(MappingSource(stringLiteral: text), of: event) == "wrong_type")
    }

    @Test func `reads the last of several members of one name`() throws {
        #expect(try written("${a}", of: "{\"a\":1,\"a\":2}") == ",\"v\":2")
    }

    @Test func `never reads the event's text as a template`() throws {
        #expect(
            try written("<${a}>", of: "{\"a\":\"${token} \\\"\"}") == ",\"v\":\"<${token} \\\">\"")
    }

    @Test func `reads key and headers as strings`() throws {
        let record = TestRecord(json: "{\"token\":\"ab\"}")
        record.key = Array("user-1".utf8)
        record.headers = [
            ("trace", Array("first".utf8)), ("x.y", Array("dotted".utf8)), ("null", nil),
            ("trace", Array("last".utf8)),
        ]
        let source = minimal.with([
            "payload": [
                "aps": ["badge": 1], "k": "${@key}", "t": "${@headers.trace}",
                "d": "${@headers[\"x.y\"]}", "n": "${@headers.null?}", "m": "${@headers.none?}",
            ]
        ])
        let made = try mapped(record, source).notifications[0]
        #expect(
            made.body == "{\"aps\":{\"badge\":1},\"k\":\"user-1\",\"t\":\"last\",\"d\":\"dotted\"}")
    }

    @Test func `finds no key and no timestamp if the record has none`() throws {
        let record = TestRecord(json: "{\"token\":\"ab\"}")
        record.timestamp = nil
        let source = minimal.with([
            "payload": ["aps": ["badge": 1], "k": "${@key?}", "t": "${@timestamp?}"]
        ])
        #expect(try mapped(record, source).notifications[0].body == "{\"aps\":{\"badge\":1}}")
    }

    @Test func `rejects a key that is not valid UTF-8`() throws {
        let record = TestRecord(json: "{\"token\":\"ab\"}")
        record.key = [0xFF]
        let source = minimal.with(["payload": ["aps": ["alert": "${@key}"]]])
        let drop = try mapped(record, source).notifications[0].drop
        #expect(drop?.reason == .wrongType)
    }
}
