import Delivery
import Mapping
import Testing

private func compiled(
    _ source: MappingSource?, event: MappingSource? = nil, when: MappingSource? = nil,
    format: MappingSource? = nil, notifications: MappingSource? = nil
) throws -> MappingPlan {
    let blocks = notifications.map {
        MappingMember(
            key: "notifications", keyLocation: MappingLocation(line: 1, column: 1), value: $0)
    }
    let found = MappingPlan.compile(
        notification: source, notifications: blocks, when: when, format: format, event: event,
        defaults: defaults, hash: sha256)
    guard let plan = found.plan else { throw Unplanned(problems: found.problems) }
    return plan
}

private func made(
    _ json: String?, _ plan: MappingPlan, headers: [(String, String)] = []
) -> (result: MappedRecord, filter: [String], hints: [[String]]) {
    var mapper = Mapper(plan: plan)
    mapper.explains = true
    var result = MappedRecord()
    let record = TestRecord(json.map { Array($0.utf8) })
    record.headers = headers.map { ($0.0, Array($0.1.utf8)) }
    // Twice, so that leftovers in the buffers show.
    mapper.map(record.makeRecord(), now: 0, into: &result)
    mapper.map(record.makeRecord(), now: 0, into: &result)
    return (result, mapper.filterExplanation, mapper.explanations.values.sorted { $0[0] < $1[0] })
}

@Suite struct `The whole value of a record` {
    private let block = minimal.with([
        "payload": ["aps": ["alert": "${@value.after.type}"], "op": "${@value.op}", "n": "${n?}"]
    ])
    private let outbox = #"{"op":"c","after":{"type":"shipped","payload":P},"n":1}"#

    private func event(_ payload: String) -> String { outbox.replacing("P", with: payload) }

    @Test(arguments: [
        #"{"token":"AA","n":2}"#, #""{\"token\":\"AA\",\"n\":2}""#,
        #""\ufeff{\"token\":\"AA\",\"n\":2}""#,
    ])
    func `is within reach of an event in it, an object or a string`(payload: String) throws {
        let plan = try compiled(block, event: "${after.payload}")
        for mark in ["", "\u{FEFF}"] {
            let result = made(mark + event(payload), plan).result
            #expect(result.notifications[0].drop == nil)
            #expect(result.notifications[0].tokenText == "aa")
            #expect(result.notifications[0].body == #"{"aps":{"alert":"shipped"},"op":"c","n":2}"#)
        }
    }

    @Test func `is the event itself without source event`() throws {
        let source = minimal.with(["payload": ["aps": ["alert": "${@value.a} ${@value[\"a\"]}"]]])
        let result = made(#"{"token":"aa","a":"x"}"#, try compiled(source)).result
        #expect(result.notifications[0].body == #"{"aps":{"alert":"x x"}}"#)
    }

    @Test func `may be passed whole, counted and searched`() throws {
        let source = minimal.with([
            "payload": [
                "aps": ["badge": "${@value.list | length}"], "all": "${@value}",
                "names": "${@value.list[*].n}", "one": "${@value.map[@value.key]}",
            ]
        ])
        let value = #"{"e":"{\"token\":\"aa\"}","list":[{"n":1},{"n":2}],"key":"k","map":{"k":3}}"#
        let result = made(value, try compiled(source, event: "${e}")).result
        #expect(
            result.notifications[0].body
                == #"{"aps":{"badge":2},"all":\#(value),"names":[1,2],"one":3}"#)
    }

    @Test func `is the same for each element of a list`() throws {
        let source: MappingSource = [
            "for_each": ["items": "${devices}", "as": "device"],
            "device_token": "${device.token}", "collapse_id": "${@value.op}-${device.id}",
            "payload": ["aps": ["alert": "${@value.op | upper}"]],
        ]
        let plan = try compiled(source, event: "${e}")
        let list = #"{\"devices\":[{\"token\":\"aa\",\"id\":1},{\"token\":\"bb\",\"id\":2}]}"#
        let result = made(#"{"op":"c","e":"\#(list)"}"#, plan).result
        let both = result.notifications[0..<result.count]
        #expect(both.map(\.collapseText) == ["c-1", "c-2"])
        #expect(both.allSatisfy { $0.body == #"{"aps":{"alert":"C"}}"# })
    }

    @Test func `is the envelope of a CloudEvent`() throws {
        let source = minimal.with(["payload": ["aps": ["alert": "${@value.type} ${@value.x?}"]]])
        let plan = try compiled(source, format: "cloudevents")
        let envelope = #""specversion":"1.0","id":"1","source":"s","type":"t","x":"y""#
        for data in [#""data":{"token":"aa"}"#, #""data_base64":"eyJ0b2tlbiI6ImFhIn0=""#] {
            let result = made("{\(envelope),\(data)}", plan).result
            #expect(result.notifications[0].tokenText == "aa")
            #expect(result.notifications[0].body == #"{"aps":{"alert":"t y"}}"#)
        }
    }

    @Test func `has no members if it is not an object`() throws {
        let source = minimal.with([
            "device_token": "aa", "payload": ["aps": ["alert": "${@value.a ?? \"-\"}"]],
        ])
        for json in ["[1]", "5", "\"x\"", "null"] {
            let result = made(json, try compiled(source)).result
            #expect(result.notifications[0].body == #"{"aps":{"alert":"-"}}"#)
            let filtered = made(json, try compiled(source, when: ["@value": ["a": [1]]])).result
            #expect(filtered.isSkipped)
        }
    }

    @Test func `is explained where a member is missing`() throws {
        let found = made(
            event(#"{"token":"aa"}"#).replacing("type", with: "typ"),
            try compiled(block, event: "${after.payload}"))
        #expect(
            found.result.notifications[0].drop?.detail.hasSuffix("${@value.after.type} is absent")
                == true)
        #expect(
            found.hints == [
                [
                    "the value has @value.after.typ, @value.after.payload",
                    "did you mean @value.after.typ? or ${@value.after.type ?? \"…\"}",
                ]
            ])
    }

    @Test func `cannot hold an event that leaves no level for it`() throws {
        let deep = String(repeating: "[", count: 63) + String(repeating: "]", count: 63)
        let plan = try compiled(block, event: "${after.payload}")
        let inside = #"{\"token\":\"aa\",\"x\":\#(deep)}"#
        let drop = made(event("\"\(inside)\""), plan).result.notifications[0].drop
        #expect(drop?.reason == .unparsable)
        #expect(drop?.detail.hasSuffix("the value around the event is nested too deeply") == true)
    }
}

@Suite struct `A condition on the whole value` {
    private let snapshot: MappingSource = ["@value": ["op": ["c", "r"]]]

    @Test func `distinguishes inserts and snapshots from updates and deletes`() throws {
        let plan = try compiled(minimal, event: "${after}", when: snapshot)
        for (op, isSkipped) in [("c", false), ("r", false), ("u", true)] {
            let result = made(#"{"op":"\#(op)","after":{"token":"aa"}}"#, plan).result
            #expect(result.isSkipped == isSkipped)
        }
        let deleted = made(#"{"op":"d","before":{},"after":null}"#, plan)
        #expect(deleted.result.isSkipped)
        #expect(
            deleted.filter == [
                #"connectors/orders.yaml:6:3: @value.op is "d", but must match ["c", "r"]"#
            ])
        let other = made(#"{"after":{"token":"aa"}}"#, plan)
        #expect(
            other.filter == [
                #"connectors/orders.yaml:6:3: @value.op is absent, but must match ["c", "r"]"#
            ])
    }

    @Test func `filters tombstones, which have no members`() throws {
        let plan = try compiled(minimal, event: "${after}", when: snapshot)
        #expect(made(nil, plan).result.isSkipped)
        let other = try compiled(
            minimal, event: "${after}", when: ["@value": ["deleted": [["exists": false]]]])
        #expect(made(nil, other).result.notifications[0].drop?.reason == .tombstone)
    }

    @Test func `chooses among notifications, next to the event's own members`() throws {
        let blocks: MappingSource = [
            minimal.with([
                "when": ["@value": ["after": ["type": ["shipped"]]], "loud": [true]],
                "payload": ["aps": ["alert": "loud"]],
            ]),
            minimal.with(["when": ["$or": [["@value": ["op": ["u"]]], ["loud": [false]]]]]),
        ]
        let plan = try compiled(nil, event: "${after.payload}", notifications: blocks)
        func body(_ op: String, _ isLoud: Bool) -> String? {
            let inside = #"{\"token\":\"aa\",\"loud\":\#(isLoud)}"#
            let result = made(
                #"{"op":"\#(op)","after":{"type":"shipped","payload":"\#(inside)"}}"#, plan
            ).result
            return result.isSkipped ? nil : result.notifications[0].body
        }
        #expect(body("c", true) == #"{"aps":{"alert":"loud"}}"#)
        #expect(body("c", false) == #"{"aps":{"alert":"Hi"}}"#)
        #expect(body("u", false) == #"{"aps":{"alert":"Hi"}}"#)
    }
}
