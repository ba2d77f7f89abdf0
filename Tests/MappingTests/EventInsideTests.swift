import Delivery
import Mapping
import Testing

private func compiled(
    _ event: MappingSource?, _ source: MappingSource? = minimal, when: MappingSource? = nil,
    format: MappingSource? = nil
) -> (plan: MappingPlan?, problems: [MappingProblem]) {
    MappingPlan.compile(
        notification: source, when: when, format: format, event: event, defaults: defaults,
        hash: sha256)
}

private func made(
    _ json: String, _ event: MappingSource = "${payload}", _ source: MappingSource? = minimal,
    when: MappingSource? = nil, key: String? = nil
) throws -> MappedRecord {
    let found = compiled(event, source, when: when)
    guard let plan = found.plan else { throw Unplanned(problems: found.problems) }
    var mapper = Mapper(plan: plan)
    var result = MappedRecord()
    let record = TestRecord(json: json)
    record.key = key.map { Array($0.utf8) }
    let other = TestRecord(json: #"{"payload":"{\"token\":\"ff\"}"}"#)
    mapper.map(other.makeRecord(), now: 0, into: &result)
    mapper.map(record.makeRecord(), now: 0, into: &result)
    return result
}

@Suite struct `An event inside its record` {
    private let text = minimal.with([
        "payload": ["aps": ["alert": "${text}"], "id": "${id?}", "key": "${@key?}"]
    ])

    @Test(arguments: [
        #"{"schema":{},"payload":{"token":"AA","text":"Hi","id":1.10}}"#,
        #"{"payload":"{\"token\":\"AA\",\"text\":\"Hi\",\"id\":1.10}","token":"bb"}"#,
        #"{"payload":" { \"token\" : \"\\u0041A\", \"text\":\"\u0048i\", \"id\":1.10 } "}"#,
    ])
    func `is a member, or the JSON text in it`(_ json: String) throws {
        let result = try made(json, "${payload}", text, key: "k")
        #expect(result.count == 1)
        #expect(result.notifications[0].drop == nil)
        #expect(result.notifications[0].tokenText == "aa")
        #expect(result.notifications[0].body == #"{"aps":{"alert":"Hi"},"id":1.10,"key":"k"}"#)
    }

    @Test func `may be canonical, and is what 'when' sees`() throws {
        let event = #"{\"type\":\"y\",\"device_token\":\"aa\",\"payload\":{\"aps\":{}}}"#
        let json = #"{"type":"x","payload":"\#(event)"}"#
        #expect(try made(json, "${payload}", nil, when: ["type": ["x"]]).isSkipped)
        let result = try made(json, "${payload}", nil, when: ["type": ["y"]])
        #expect(result.notifications[0].tokenText == "aa" && !result.isSkipped)
    }

    @Test func `is at the first of several paths that is present`() throws {
        let event: MappingSource = "${payload.after ?? payload.before}"
        let both = #"{"payload":{"before":{"token":"aa"},"after":{"token":"bb"}}}"#
        let after = try made(both, event)
        #expect(after.notifications[0].tokenText == "bb")
        let before = try made(#"{"payload":{"before":{"token":"aa"},"after":null}}"#, event)
        #expect(before.notifications[0].tokenText == "aa")
    }

    @Test(arguments: [
        (#"{}"#, DropReason.missingField, "${payload} is absent"),
        (#"{"payload":null}"#, .missingField, "${payload} is absent"),
        (#"[{"payload":{}}]"#, .missingField, "${payload} is absent"),
        (
            #"{"payload":5}"#, .wrongType,
            "${payload} is a number, not an object or a string that contains one"
        ),
        (
            #"{"payload":true}"#, .wrongType,
            "${payload} is a boolean, not an object or a string that contains one"
        ),
        (#"{"payload":""}"#, .unparsable, "the string in ${payload} is empty"),
        (
            #"{"payload":"{\"a\":x}"}"#, .unparsable,
            "the string in ${payload} is not valid JSON: expected a value at its byte 5"
        ),
    ])
    func `is dropped with a reason if it is not there`(
        _ json: String, _ reason: DropReason, _ message: String
    ) throws {
        let result = try made(json)
        #expect(result.count == 1)
        #expect(result.notifications[0].drop?.reason == reason)
        #expect(result.notifications[0].drop?.detail == "connectors/orders.yaml:8:11: \(message)")
    }

    @Test func `is skipped if it is not there and a condition asks for it`() throws {
        let result = try made(#"{"payload":null}"#, "${payload}", minimal, when: ["a": [1]])
        #expect(result.isSkipped && result.count == 0)
    }

    @Test func `is unreadable if its record is`() throws {
        let result = try made(#"{"payload":{"token":"aa"}"#)
        #expect(result.notifications[0].drop?.reason == .unparsable)
        let detail = result.notifications[0].drop?.detail ?? ""
        #expect(detail.contains("the value is not valid JSON"))
    }

    @Test func `may be as deep as a record may be, and no deeper`() throws {
        func event(_ depth: Int) -> String {
            let inner = String(repeating: "[", count: depth - 1)
                + String(repeating: "]", count: depth - 1)
            return #"{"payload":"{\"token\":\"aa\",\"x\":\#(inner)}"}"#
        }
        #expect(try made(event(64)).notifications[0].drop == nil)
        #expect(try made(event(65)).notifications[0].drop?.reason == .unparsable)
    }

    @Test func `is explained when it is absent`() throws {
        var mapper = Mapper(plan: try #require(compiled("${payload}").plan))
        mapper.explains = true
        var result = MappedRecord()
        mapper.map(TestRecord(json: #"{"paylod":{}}"#).makeRecord(), now: 0, into: &result)
        #expect(
            mapper.explanations == [
                "connectors/orders.yaml:8:11: ${payload} is absent": [
                    "the event has paylod", "did you mean paylod?",
                ]
            ])
    }

    @Test(
        arguments: [
            "payload", "${payload} ", "${payload[*]}", "${payload?}", "${payload | json}",
            "${@key}", "${payload ?? \"x\"}", ["payload"], ["payload": "x"],
        ] as [MappingSource])
    func `is rejected unless it is a path`(_ event: MappingSource) {
        let found = compiled(event)
        #expect(found.plan == nil)
        #expect(
            found.problems.map(\.message) == ["'event' must be a path in the record's value"])
    }

    @Test func `is rejected for CloudEvents`() {
        #expect(
            compiled("${payload}", format: "cloudevents").problems.map(\.message) == [
                "'event' is only valid with format json"
            ])
    }
}
