import Delivery
import Mapping
import Testing

@Suite struct `The explanation of a drop` {
    static func explain(title: String, event: String) throws -> [String] {
        let notification = minimal.with([
            "device_token": "${token}",
            "payload": ["aps": ["alert": ["title": .text(title)]]],
        ])
        let compiled = MappingPlan.compile(
            notification: notification, when: nil, defaults: defaults, hash: sha256)
        var mapper = Mapper(plan: try #require(compiled.plan, "\(compiled.problems)"))
        mapper.explains = true
        var mapped = MappedRecord()
        let record = Record.owning(
            assignment: AssignmentID(1), topicPartition: TopicPartition(topic: "t", partition: 0),
            offset: 0, value: Array(event.utf8))
        mapper.map(record, now: 0, into: &mapped)
        let drop = try #require(mapped.notifications.first?.drop)
        return mapper.explanations[drop.detail] ?? []
    }

    private static let token = #""token":"aa""#

    @Test(arguments: [
        (
            "${customer.name}", #""customer":{"device":1,"full_name":"A","unread":2}"#,
            [
                "the event has customer.device, customer.full_name, customer.unread",
                #"did you mean customer.full_name? or ${customer.name ?? "there"}"#,
            ]
        ),
        (
            "${custmer.name}", #""customer":{"name":"A"}"#,
            [
                "the event has token, customer",
                #"did you mean customer.name? or ${custmer.name ?? "there"}"#,
            ]
        ),
        (
            "${custmer.adress.cty}", #""customer":{"address":{"city":"Bonn"}}"#,
            [
                "the event has token, customer",
                "did you mean customer.address.city?"
                    + #" or ${custmer.adress.cty ?? "…"}"#,
            ]
        ),
        (
            "${custmer.adress[1].cty}", #""customer":{"address":[{"city":"Bonn"}]}"#,
            [
                "the event has token, customer",
                "did you mean customer.address[1].cty?"
                    + #" or ${custmer.adress[1].cty ?? "…"}"#,
            ]
        ),
        (
            "${a ?? b | upper}", #""b":1.50"#, ["b is 1.50"]
        ),
        (
            "${a ?? b | upper}", #""a":null,"b":7"#, ["b is 7"]
        ),
        (
            "${a.b}", #""a":null"#,
            ["a is null, not an object", #"give it a default: ${a.b ?? "…"}"#]
        ),
        (
            "${a}", #""a":null"#,
            ["a is null, which counts as absent", #"give it a default: ${a ?? "…"}"#]
        ),
        (
            "${a.b}", #""a":{}"#, ["a is an empty object", #"give it a default: ${a.b ?? "…"}"#]
        ),
        (
            "${a[2]}", #""a":[1]"#, ["a has 1 element", #"give it a default: ${a[2] ?? "…"}"#]
        ),
        (
            "${a.b}", #""a":[{"b":1}]"#,
            [
                "a is an array: write a[0] for its first element",
                #"give it a default: ${a.b ?? "…"}"#,
            ]
        ),
        ("${a | upper}", #""b":1"#, ["the event has token, b"]),
        ("${a}", #""a":{"b":1}"#, ["a is an object"]),
        ("${a | upper}", #""a":1.50"#, ["a is 1.50"]),
        (
            "${a | map(x = 1)}", #""a":"y""#,
            ["a is present, but the transforms after '|' make it absent"]
        ),
        (
            "${a | date(\"%H\", zone)}", #""a":0"#,
            ["a is present, but the transforms after '|' make it absent"]
        ),
        (
            #"${["a b"].c}"#, #""a b":"x""#,
            [
                #"["a b"] is "x", not an object"#, #"give it a default: ${["a b"].c ?? "…"}"#,
            ]
        ),
    ])
    func `shows what the event has, and what may be meant`(
        title: String, members: String, lines: [String]
    ) throws {
        let event = "{\(Self.token),\(members)}"
        #expect(try Self.explain(title: title, event: event) == lines)
    }

    @Test func `does not suggest a default for a device token`() throws {
        #expect(
            try Self.explain(title: "Hi", event: #"{"tokn":"aa"}"#)
                == ["the event has tokn", "did you mean tokn?"])
    }

    @Test func `lists a few of many members`() throws {
        let members = (1...12).map { "\"m\($0)\":1" }.joined(separator: ",")
        let lines = try Self.explain(title: "${xyz | upper}", event: "{\(Self.token),\(members)}")
        #expect(lines == ["the event has token, m1, m2, m3, m4, m5, m6, m7 and 5 more"])
    }

    @Test(arguments: [
        ("expiration", "${a ?? b}", #""b":"soon""#, "${a ?? b}", "b is \"soon\""),
        ("event_time", "${a ?? b}", #""b":[1]"#, "${a ?? b}", "b is [1]"),
        ("ttl", "${a ?? b}", #""b":"x""#, "${a ?? b}", "b is \"x\""),
        ("ttl", "${b}h", #""b":"x""#, "'ttl'", nil),
        ("expiration", "${b}0", #""b":"x""#, "'expiration'", nil),
    ])
    func `names the key that was written, and shows the value that failed`(
        key: String, template: String, member: String, subject: String, line: String?
    ) throws {
        let notification = minimal.with([key: .text(template)])
        let compiled = MappingPlan.compile(
            notification: notification, when: nil, defaults: defaults, hash: sha256)
        var mapper = Mapper(plan: try #require(compiled.plan, "\(compiled.problems)"))
        mapper.explains = true
        var mapped = MappedRecord()
        let record = Record.owning(
            assignment: AssignmentID(1), topicPartition: TopicPartition(topic: "t", partition: 0),
            offset: 0, value: Array("{\(Self.token),\(member)}".utf8))
        mapper.map(record, now: 0, into: &mapped)
        let detail = try #require(mapped.notifications.first?.drop?.detail)
        #expect(detail.contains(": \(subject) is not "), "\(detail)")
        #expect(mapper.explanations[detail] ?? [] == (line.map { [$0] } ?? []))
    }

    @Test(arguments: [
        (#"[]"#, "${t} is empty", ["t is []"]),
        (#"[null]"#, "${t} is absent", ["t is [null], which contains no device token"]),
        (#""""#, "${t} is not valid: it is empty", [#"t is "", which contains no device token"#]),
        (
            #"["x"]"#,
            "'device_tokens' is not valid: it contains a character that is not a hexadecimal digit",
            []
        ),
        (#"7"#, "${t} is not valid: it must be an array or a comma-separated string", ["t is 7"]),
    ])
    func `of device tokens names the list and what is in it`(
        tokens: String, words: String, lines: [String]
    ) throws {
        let notification = minimal.without("device_token").with(["device_tokens": "${t}"])
        let compiled = MappingPlan.compile(
            notification: notification, when: nil, defaults: defaults, hash: sha256)
        var mapper = Mapper(plan: try #require(compiled.plan, "\(compiled.problems)"))
        mapper.explains = true
        var mapped = MappedRecord()
        let record = Record.owning(
            assignment: AssignmentID(1), topicPartition: TopicPartition(topic: "t", partition: 0),
            offset: 0, value: Array("{\"t\":\(tokens)}".utf8))
        mapper.map(record, now: 0, into: &mapped)
        let detail = try #require(mapped.notifications.first?.drop?.detail)
        #expect(detail.hasSuffix(": \(words)"), "\(detail)")
        #expect(mapper.explanations[detail] ?? [] == lines)
    }
}
