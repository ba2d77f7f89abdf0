import Delivery
import Mapping
import Testing

private func compile(
    _ labels: MappingSource
) -> (plan: MappingPlan?, problems: [MappingProblem]) {
    var defaults = defaults
    defaults.labels = labels
    return MappingPlan.compile(
        notification: minimal, when: nil, defaults: defaults, hash: sha256)
}

@Suite struct `A label` {
    private func made(_ event: String, _ labels: MappingSource) throws -> Notification {
        let compiled = compile(labels)
        guard let plan = compiled.plan else { throw Unplanned(problems: compiled.problems) }
        var mapper = Mapper(plan: plan)
        var result = MappedRecord()
        // Once before with another event, so that leftovers in the buffers show.
        let other = #"{"token":"ab","v":"other","w":"other"}"#
        mapper.map(TestRecord(json: other).makeRecord(), now: 0, into: &result)
        mapper.map(TestRecord(json: event).makeRecord(), now: 0, into: &result)
        return try #require(result.notifications.first)
    }

    private func labels(_ event: String, _ labels: MappingSource) throws -> String {
        String(decoding: try made(event, labels).labels, as: UTF8.self)
    }

    @Test(
        arguments: [
            (#""Summer é""#, #""Summer é""#), (#""a\u0022b""#, #""a\"b""#), ("7", "7"),
            ("-1.50e3", "-1.50e3"), (#""""#, #""""#),
        ])
    func `keeps a string or number as the event writes it`(value: String, label: String) throws {
        let found = try labels(#"{"token":"ab","v":\#(value)}"#, ["l": "${v}"])
        #expect(found == #"{"l":\#(label)}"#)
    }

    @Test(
        arguments: [
            ("true", "${v} is not valid: a label must be a string or a number"),
            ("[1]", "${v} is not valid: a label must be a string or a number"),
            ("{}", "${v} is not valid: a label must be a string or a number"),
            ("null", "${v} is absent"),
            ("\"" + String(repeating: "x", count: 65) + "\"",
                "${v} is not valid: a label can have at most 64 bytes"),
        ])
    func `that is anything else is null, and does not drop the push`(
        value: String, message: String
    ) throws {
        let made = try made(#"{"token":"ab","v":\#(value)}"#, ["l": "${v}", "m": "${@offset}"])
        #expect(made.drop == nil)
        #expect(String(decoding: made.labels, as: UTF8.self) == #"{"l":null,"m":42}"#)
        #expect(
            made.labelFault == "the label 'l' is null: connectors/orders.yaml:8:11: \(message)")
    }

    @Test func `is kept by the outcome of a record that is skipped`() throws {
        var defaults = defaults
        defaults.labels = ["campaign": "${campaign}", "device": "${device.token?}", "x": "${x}"]
        let block: MappingSource = [
            "for_each": ["items": "${devices}", "as": "device"],
            "device_token": "${device.token}", "payload": ["aps": ["alert": "Hi"]],
        ]
        for notification in [minimal, block] {
            let compiled = MappingPlan.compile(
                notification: notification,
                when: ["campaign": [["anything-but": "summer"]]], defaults: defaults, hash: sha256)
            var mapper = Mapper(plan: try #require(compiled.plan))
            mapper.reportsFiltered = true
            var result = MappedRecord()
            let event = #"{"token":"ab","campaign":"summer","devices":[{"token":"aa"}]}"#
            for _ in 0..<2 {
                mapper.map(TestRecord(json: event).makeRecord(), now: 0, into: &result)
            }
            #expect(result.count == 1 && result.notifications[0].drop?.reason == .filtered)
            #expect(
                String(decoding: result.notifications[0].labels, as: UTF8.self)
                    == #"{"campaign":"summer","x":null}"#)
            #expect(result.notifications[0].labelFault == nil)
        }
    }

    @Test func `may have 64 bytes`() throws {
        let text = String(repeating: "é", count: 32)
        let event = #"{"token":"ab","v":"\#(text)"}"#
        #expect(try labels(event, ["l": "${v}"]) == #"{"l":"\#(text)"}"#)
        #expect(try labels(event, ["l": "${v}!"]) == #"{"l":null}"#)
    }

    @Test func `is left out if it is absent and optional`() throws {
        #expect(try labels(#"{"token":"ab"}"#, ["l": "${v?}", "m": "${w ?? 'x'}"]) == #"{"m":"x"}"#)
        #expect(try labels(#"{"token":"ab"}"#, ["l": "${v?}"]) == "{}")
    }

    @Test func `may be composed, constant or transformed`() throws {
        let found = try labels(
            #"{"token":"ab","v":true}"#,
            ["a": "is-${v}", "b": "fixed \"x\"", "c": .plain("42"), "d": "${v | text}"])
        #expect(found == #"{"a":"is-true","b":"fixed \"x\"","c":42,"d":"true"}"#)
    }

    @Test func `is the same for every device token of a record`() throws {
        var defaults = defaults
        defaults.labels = ["l": "${v}"]
        let plan = MappingPlan.compile(
            notification: minimal.without("device_token").with(["device_tokens": "${t}"]),
            when: nil, defaults: defaults, hash: sha256
        ).plan
        var mapper = Mapper(plan: try #require(plan))
        var result = MappedRecord()
        let event = TestRecord(json: #"{"t":["aa","bb","zz"],"v":1}"#)
        mapper.map(event.makeRecord(), now: 0, into: &result)
        #expect(result.count == 3)
        #expect(
            result.notifications[..<3].allSatisfy {
                String(decoding: $0.labels, as: UTF8.self) == #"{"l":1}"#
            })
    }

    @Test(
        arguments: [
            (["a b": "x"], "'a b' is not a valid name of a label"),
            (["l": ["x"]], "the label 'l' must be a string or a number"),
            (["l": ""], "the label 'l' must be a string or a number"),
            (["l": .plain("true")], "the label 'l' must be a string or a number"),
            (["l": "${v"], "'${' is not closed"),
            (["l"], "'labels' must be a map of names and templates"),
            (
                ["l": .text(String(repeating: "x", count: 65))],
                "the label 'l' has 65 bytes; the limit is 64"
            ),
        ] as [(MappingSource, String)])
    func `is rejected with`(_ labels: MappingSource, _ message: String) {
        #expect(compile(labels).problems.map(\.message) == [message])
        #expect(compile(labels).plan == nil)
    }

    @Test func `is rejected if it is the seventeenth`() {
        let members = (1...18).map {
            MappingMember(
                key: "l\($0)", keyLocation: MappingLocation(line: $0, column: 1), value: "x")
        }
        let labels = MappingSource.map(members, location: MappingLocation(line: 1, column: 1))
        let problems = compile(labels).problems
        #expect(problems.map(\.message) == ["'labels' has more than 16 labels"])
        #expect(problems.map(\.location.line) == [17])
        #expect(problems.map(\.remedy) == ["remove 2 of them"])
    }
}

@Suite struct `A payload that was cut to fit` {
    @Test func `is marked, and no other`() throws {
        let source = minimal.with([
            "payload": ["aps": ["alert": "${v}"]],
            "policy": ["payload_too_large": "truncate", "truncate": "aps.alert"],
        ])
        for (count, isTruncated) in [(5000, true), (10, false)] {
            let text = String(repeating: "x", count: count)
            let made = try notification(#"{"token":"ab","v":"\#(text)"}"#, source)
            #expect(made.isTruncated == isTruncated && made.drop == nil)
        }
    }
}
