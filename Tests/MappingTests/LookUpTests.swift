import Delivery
import Mapping
import Testing

@Suite struct `A look-up by value` {
    private static let event = """
        {"texts":{"en":"Hello","de":{"title":"Hallo","n":[10,20]},"7":"seven","true":"yes",
         "x.y":"dot"},
         "user":{"locale":"de","short":"en","number":7,"other":"fr","none":null,"esc":"\\u0065n",
         "flag":true,"object":{},"index":1,"dot":"x.y","big":18446744073709551616,"minus":-1},
         "list":["a","b"],"maps":{"de":{"b":"nested"}},"token":"ab"}
        """

    @Test(arguments: [
        ("${texts[user.short]}", #""Hello""#), ("${texts[user.esc]}", #""Hello""#),
        ("${texts[user.locale].title}", #""Hallo""#),
        ("${texts[user.locale].n[user.index]}", "20"),
        ("${texts[user.locale].n[0]}", "10"),
        ("${maps[user.locale].b}", #""nested""#),
        ("${texts[user.number]}", #""seven""#), ("${texts[user.flag]}", #""yes""#),
        ("${texts[user.dot]}", #""dot""#), ("${list[user.index]}", #""b""#),
        ("${texts[user.locale] | json | length}", "29"),
        ("${texts[user.other] ?? texts['en']}", #""Hello""#),
        ("${texts[user.missing] ?? texts[\"en\"]}", #""Hello""#),
        ("${texts[@headers.locale] ?? texts[@key]}", #""Hello""#),
        ("Hi: ${texts[user.short]}", #""Hi: Hello""#),
        ("${texts[user.other]}", "missing_field"), ("${texts[user.none]}", "missing_field"),
        ("${texts[user.object]}", "missing_field"), ("${texts[list]}", "missing_field"),
        ("${list[user.locale]}", "missing_field"), ("${list[user.big]}", "missing_field"),
        ("${list[user.minus]}", "missing_field"), ("${list[user.number]}", "missing_field"),
        ("${token[user.locale]}", "missing_field"), ("${nothing[user.locale]}", "missing_field"),
        ("${texts[user.locale].title.x}", "missing_field"),
        ("${texts[user.other]?}", "the key is left out"),
        ("${texts[user.short] | map(Hello = \"x\")}", #""x""#),
        ("${user.none | default(texts[user.short])}", #""Hello""#),
    ])
    func `finds what the value names`(_ template: String, _ result: String) throws {
        #expect(try made(template) == result)
    }

    private func made(_ template: String) throws -> String {
        let source = minimal.with([
            "payload": ["aps": ["badge": 1], "v": MappingSource(stringLiteral: template)]
        ])
        let record = TestRecord(json: Self.event)
        record.key = Array("en".utf8)
        let made = try mapped(record, source).notifications[0]
        if let drop = made.drop { return drop.reason.rawValue }
        let start = #"{"aps":{"badge":1},"v":"#
        guard made.body.hasPrefix(start) else { return "the key is left out" }
        return String(made.body.dropFirst(start.count).dropLast())
    }

    @Test(arguments: [
        ("${a[b[c]]}", "a look-up takes a plain path"),
        ("${a[b[*]]}", "a look-up takes a plain path"),
        ("${a[*].b[c]}", "a path cannot contain both [*] and a look-up"),
        ("${a[b].c[*]}", "a path cannot contain both [*] and a look-up"),
        ("${a[b ?? \"x\"]}", "a look-up takes one path"),
        ("${a[b | lower]}", "a look-up takes one path"),
        ("${a[true]}", "expected a path between '[' and ']'"), ("${a[b}", "'[' is not closed"),
        ("${a[b c]}", "'[' is not closed"), ("${a[+]}", "expected an index, * or a quoted name"),
    ])
    func `is rejected for`(_ template: String, _ message: String) {
        let source = minimal.with(["payload": ["aps": ["alert": .text(template)]]])
        #expect(problems(source).map(\.message) == [message])
        #expect(problems(source).allSatisfy { $0.remedy != nil })
    }

    @Test func `may depend on an element of 'for_each', and names it in the reason`() throws {
        let source: MappingSource = [
            "for_each": ["items": "${devices}", "as": "device"],
            "device_token": "${device.token}",
            "payload": ["aps": ["alert": "${texts[device.locale]}"]],
        ]
        let json = """
            {"texts":{"en":"Hello","de":"Hallo"},"devices":[{"token":"aa","locale":"de"},
             {"token":"bb","locale":"en"},{"token":"cc","locale":"fr"},{"token":"dd"}]}
            """
        let compiled = MappingPlan.compile(
            notification: source, when: nil, defaults: defaults, hash: sha256)
        #expect(compiled.problems.isEmpty)
        var mapper = Mapper(plan: try #require(compiled.plan))
        mapper.explains = true
        var result = MappedRecord()
        mapper.map(TestRecord(json: json).makeRecord(), now: 0, into: &result)
        let found = result.notifications[..<result.count]
        #expect(
            found.prefix(2).map(\.body)
                == [#"{"aps":{"alert":"Hallo"}}"#, #"{"aps":{"alert":"Hello"}}"#])
        let detail = "connectors/orders.yaml:8:11: ${texts[device.locale]} is absent"
        #expect(found.map(\.drop?.detail) == [
            nil, nil, "\(detail) (element 2)", "\(detail) (element 3)",
        ])
        #expect(
            mapper.explanations["\(detail) (element 2)"] == ["the event has texts.en, texts.de"])
        #expect(
            mapper.explanations["\(detail) (element 3)"]?.first
                == "the element has device.token")
    }

    @Test func `is named among the fallbacks as written`() throws {
        let source = minimal.with([
            "payload": ["aps": ["alert": "${t[@headers.l].x ?? t[a.b][@key] ?? \"-\"}"]]
        ])
        let compiled = MappingPlan.compile(
            notification: source, when: nil, defaults: defaults, hash: sha256)
        var mapper = Mapper(plan: try #require(compiled.plan))
        mapper.explains = true
        var result = MappedRecord()
        mapper.map(TestRecord(json: #"{"token":"aa","t":{}}"#).makeRecord(), now: 0, into: &result)
        #expect(mapper.fallbacks.map(\.absent) == [["t[@headers.l].x", "t[a.b][@key]"]])
    }
}

@Suite struct `Whole numbers` {
    @Test(arguments: [
        ("${n | plus(1)}", "42", "43"), ("${n | minus(1)}", "0", "-1"),
        ("${n | plus(-5) | minus(-5)}", "7", "7"),
        ("${n | plus(9223372036854775807)}", "0", "9223372036854775807"),
        ("${n | minus(-9223372036854775808)}", "-1", "9223372036854775807"),
        ("${n | plus(1)}", "9223372036854775807", "number_out_of_range"),
        ("${n | minus(1)}", "-9223372036854775808", "number_out_of_range"),
        ("${n | minus(-9223372036854775808)}", "0", "number_out_of_range"),
        ("${n | plus(1)}", "9223372036854775808", "number_out_of_range"),
        ("${n | plus(1)}", "1.0", "2"), ("${n | plus(1)}", "1e3", "1001"),
        ("${n | plus(1)}", "-1.0E3", "-999"), ("${n | plus(1)}", "1.05e1", "wrong_type"),
        ("${n | plus(1)}", "1.5", "wrong_type"), ("${n | plus(1)}", "1e-1", "wrong_type"),
        ("${n | plus(1)}", "\"1\"", "wrong_type"), ("${n | plus(1)}", "true", "wrong_type"),
        ("${n | plus(1)}", "[1]", "wrong_type"), ("${n | number | plus(1)}", "\"1\"", "2"),
        ("${n | length | plus(1)}", "[1,2]", "3"), ("${n | plus(1) | text}", "1", "\"2\""),
        ("${@offset | plus(1)}", "1", "43"), ("${n | shift(2) | plus(1)}", "1", "101"),
        ("${n | plus(1) | default(5)}", "null", "5"),
    ])
    func `are added and subtracted exactly`(_ template: String, _ n: String, _ result: String)
        throws
    {
        let made = try written(MappingSource(stringLiteral: template), of: "{\"n\":\(n)}")
        #expect(made == result || made == ",\"v\":\(result)")
    }

    @Test func `say what is wrong with the others`() throws {
        func detail(_ n: String) throws -> String? {
            try payload("${n | plus(1)}", of: "{\"n\":\(n)}").drop?.detail
        }
        let start = "connectors/orders.yaml:8:11: ${n | plus(1)}"
        #expect(try detail("\"1\"") == "\(start): 'plus' takes a whole number, not a string")
        #expect(
            try detail("1.5") == "\(start) is not valid: 'plus' and 'minus' take whole numbers")
        #expect(
            try detail("9223372036854775807")
                == "\(start) is not valid: the number or the result does not fit in 64 bits")
    }

    @Test func `added to the record's time leave it a time`() throws {
        let source = minimal.with(["expiration": "${@timestamp | plus(60000)}"])
        #expect(
            try notification(#"{"token":"ab"}"#, source).expiration
                == .at(seconds: 1_767_261_660))
        let seconds = minimal.with(["expiration": "${at | plus(60)}"])
        #expect(
            try notification(#"{"token":"ab","at":1767261600}"#, seconds).expiration
                == .at(seconds: 1_767_261_660))
    }

    @Test(arguments: [
        "plus", "plus()", "plus(1.5)", "plus(\"1\")", "plus(a)", "plus(1, 2)",
        "plus(9223372036854775808)", "minus(1e3)",
    ])
    func `are required in the file`(_ transform: String) {
        let source = minimal.with(["payload": ["aps": ["badge": .text("${n | \(transform)}")]]])
        #expect(problems(source).count == 1)
        let message = problems(source).first?.message ?? ""
        #expect(message.contains("takes one whole number from -9223372036854775808 to 92233"))
    }
}

@Suite struct `Parts of a string` {
    @Test(arguments: [
        ("replace(\"a\", \"b\")", "banana", "bbnbnb"), ("replace(\"an\", \"\")", "banana", "ba"),
        ("replace(\"aa\", \"a\")", "aaaaa", "aaa"), ("replace('x', 'y')", "abc", "abc"),
        ("replace(\"é\", \"e\")", "été", "ete"), ("replace(\"abcd\", \"x\")", "abc", "abc"),
        ("replace(\".\", \"-\") | upper", "a.b.c", "A-B-C"),
        ("replace(\"b\", \"\\\"\")", "abc", "a\\\"c"),
    ])
    func `are replaced everywhere, from left to right`(
        _ transform: String, _ text: String, _ result: String
    ) throws {
        #expect(
            try written(.text("${t | \(transform)}"), of: "{\"t\":\"\(text)\"}")
                == ",\"v\":\"\(result)\"")
    }

    @Test func `are replaced in strings only`() throws {
        #expect(try written("${t | replace(\"1\", \"2\")}", of: "{\"t\":1}") == "wrong_type")
        let text: MappingSource = "${t | text | replace(\"1\", \"2\")}"
        #expect(try written(text, of: "{\"t\":1}") == ",\"v\":\"2\"")
    }

    @Test(arguments: ["replace", "replace(\"a\")", "replace(\"\", \"b\")", "replace(\"a\", b)"])
    func `are given as two strings, the first of which is not empty`(_ transform: String) {
        #expect(
            problems(minimal.with(["collapse_id": .text("${t | \(transform)}")])).map(\.message)
                == ["'replace' takes two strings, the first of which is not empty"])
    }
}
