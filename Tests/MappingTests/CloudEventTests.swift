import Delivery
import Mapping
import Testing

/// The fields of a push, taken from the attributes and the data of a CloudEvent.
private let block: MappingSource = [
    "device_token": "${token}", "collapse_id": "${@ce.subject ?? @ce.id}",
    "payload": ["aps": ["alert": "${@ce.type}"], "order": "${order?}", "shard": "${@ce.shard?}"],
]

private func made(
    _ value: String, headers: [(String, String?)] = [], _ source: MappingSource? = block,
    when: MappingSource? = nil, timestamp: Int64? = 1_767_261_600_000
) throws -> MappedRecord {
    let compiled = MappingPlan.compile(
        notification: source, when: when, format: "cloudevents", defaults: defaults, hash: sha256)
    guard let plan = compiled.plan else { throw Unplanned(problems: compiled.problems) }
    let record = TestRecord(json: value)
    record.timestamp = timestamp
    record.headers = headers.map { (name: $0.0, value: $0.1.map { Array($0.utf8) }) }
    var mapper = Mapper(plan: plan)
    var result = MappedRecord()
    mapper.map(record.makeRecord(), now: 5, into: &result)
    mapper.map(record.makeRecord(), now: 5, into: &result)
    return result
}

private let attributes = #""specversion":"1.0","id":"e1","source":"/shop","type":"order.shipped""#
private let headers: [(String, String?)] = [
    ("ce_specversion", "1.0"), ("ce_id", "e1"), ("ce_source", "/shop"),
    ("ce_type", "order.shipped"), ("content-type", "application/json"),
]

@Suite struct `A CloudEvent` {
    @Test func `is the same in structured and in binary mode`() throws {
        let data = #"{"token":"aa","order":{"id":7.10}}"#
        let structured = try made(#"{\#(attributes),"shard":3,"data":\#(data)}"#)
        let binary = try made(data, headers: headers + [("ce_shard", "3")])
        for result in [structured, binary] {
            #expect(result.count == 1)
            let made = result.notifications[0]
            #expect(made.drop == nil)
            #expect(made.tokenText == "aa")
            #expect(made.collapseText == "e1")
            #expect(
                made.body
                    == #"{"aps":{"alert":"order.shipped"},"order":{"id":7.10},"shard":"3"}"#)
        }
    }

    @Test func `may have its attributes in headers as HTTP spells them`() throws {
        let data = #"{"token":"aa","order":{"id":7}}"#
        let spelled = headers.map { ($0.0.replacing("ce_", with: "ce-"), $0.1) }
        let result = try made(data, headers: spelled + [("ce-shard", "3"), ("ce-subject", "s")])
        #expect(result.notifications[0].drop == nil)
        #expect(result.notifications[0].collapseText == "s")
        #expect(
            result.notifications[0].body
                == #"{"aps":{"alert":"order.shipped"},"order":{"id":7},"shard":"3"}"#)
    }

    @Test(arguments: ["Ce-", "CE-", "Ce_"])
    func `may have the names of its headers in any case`(prefix: String) throws {
        let data = #"{"token":"aa","order":{"id":7}}"#
        let spelled = headers.map { name, value in
            (name.hasPrefix("ce_") ? prefix + name.dropFirst(3).uppercased() : name, value)
        }
        let result = try made(data, headers: spelled + [("\(prefix)Shard", "3")])
        #expect(result.notifications[0].drop == nil)
        #expect(result.notifications[0].collapseText == "e1")
        #expect(
            result.notifications[0].body
                == #"{"aps":{"alert":"order.shipped"},"order":{"id":7},"shard":"3"}"#)
    }

    @Test func `is structured whatever the case of its content type's name`() throws {
        let type = ("Content-Type", "application/cloudevents-batch+json")
        let batch = try made("[]", headers: [type])
        #expect(
            batch.notifications[0].drop?.detail.hasSuffix("write each event to its own record")
                == true)
    }

    @Test func `has the headers of Kafka's spelling if it has both`() throws {
        let result = try made(
            #"{"token":"aa"}"#, headers: headers + [("ce-id", "e2"), ("ce-type", "other")])
        #expect(result.notifications[0].collapseText == "e1")
        #expect(result.notifications[0].body.contains("order.shipped"))
    }

    @Test(arguments: [
        "application/cloudevents+json", "application/cloudevents+json; charset=UTF-8",
        "Application/CloudEvents+JSON",
    ])
    func `is structured if its content type says so, whatever headers it has`(
        _ type: String
    ) throws {
        let result = try made(
            #"{\#(attributes),"data":{"token":"aa"}}"#,
            headers: [("content-type", type), ("ce_specversion", "1.0"), ("ce_id", "other")])
        #expect(result.notifications[0].collapseText == "e1")
    }

    @Test func `may contain its data as base64`() throws {
        // {"token":"bb"}
        let result = try made(#"{\#(attributes),"data_base64":"eyJ0b2tlbiI6ImJiIn0="}"#)
        #expect(result.notifications[0].tokenText == "bb")
        #expect(result.notifications[0].body == #"{"aps":{"alert":"order.shipped"}}"#)
    }

    @Test func `may have no data`() throws {
        let source = block.with(["device_token": "${@ce.subject}"])
        let structured = [
            #"{\#(attributes),"subject":"aa"}"#, #"{\#(attributes),"subject":"aa","data":null}"#,
        ]
        for value in structured {
            #expect(try made(value, source).notifications[0].tokenText == "aa")
        }
        let binary = try made("", headers: headers + [("ce_subject", "aa")], source)
        #expect(binary.notifications[0].tokenText == "aa")
        #expect(try made(structured[0]).notifications[0].drop?.reason == .missingField)
    }

    @Test func `is matched by its data`() throws {
        let when: MappingSource = ["order": ["id": [7]]]
        let shipped = try made(
            #"{\#(attributes),"data":{"token":"aa","order":{"id":7}}}"#, when: when)
        #expect(shipped.count == 1)
        let other = try made(
            #"{\#(attributes),"order":{"id":7},"data":{"token":"aa"}}"#, when: when)
        #expect(other.isSkipped)
        #expect(try made(#"{\#(attributes)}"#, when: when).isSkipped)
        #expect(try made(#"{"order":{"id":7}}"#, headers: headers, when: when).count == 1)
    }

    @Test func `has its own time, or else the record's`() throws {
        let source = block.with(["ttl": "1h"])
        let timed = #"{\#(attributes),"time":"2026-01-01T12:00:00Z","data":{"token":"aa"}}"#
        #expect(try made(timed, source).notifications[0].eventTime == 1_767_268_800_000)
        #expect(try made(timed, source).notifications[0].expiresAt == 1_767_272_400_000)
        let untimed = #"{\#(attributes),"data":{"token":"aa"}}"#
        #expect(try made(untimed, source).notifications[0].eventTime == 1_767_261_600_000)
        #expect(try made(untimed, source, timestamp: nil).notifications[0].eventTime == 5)
        let own = source.with(["event_time": "${at}"])
        let both =
            #"{\#(attributes),"time":"2026-01-01T12:00:00Z","data":{"token":"aa","at":1767000000}}"#
        #expect(try made(both, own).notifications[0].eventTime == 1_767_000_000_000)
        let wrong = #"{\#(attributes),"time":"yesterday","data":{"token":"aa"}}"#
        #expect(try made(wrong).notifications[0].drop?.reason == .invalidEventTime)
    }

    @Test func `may contain a canonical event`() throws {
        let data = #"{"device_token":"aa","ttl":60,"payload":{"aps":{"badge":1}}}"#
        let value = #"{\#(attributes),"time":"2026-01-01T12:00:00Z","data":\#(data)}"#
        let made = try made(value, nil).notifications[0]
        #expect(made.drop == nil)
        #expect(made.body == #"{"aps":{"badge":1}}"#)
        #expect(made.expiresAt == 1_767_268_860_000)
    }

    @Test(
        arguments: [
            (
                #"{"token":"aa"}"#, [],
                "it is not a CloudEvent: it has neither a header 'ce_specversion' nor a member "
                    + "'specversion'"
            ),
            (
                #"{"specversion":"1.0","id":"1","source":"/"}"#, [],
                "the CloudEvents attribute 'type' is missing or empty"
            ),
            (
                #"{"specversion":"1.0","id":"","source":"/","type":"t"}"#, [],
                "the CloudEvents attribute 'id' is missing or empty"
            ),
            (
                #"{"specversion":"0.3","id":"1","source":"/","type":"t"}"#, [],
                "its specversion is not 1.0"
            ),
            (
                "{}", [("ce_specversion", "1.0")],
                "the CloudEvents header 'ce_id' is missing or empty"
            ),
            (
                "[]", [("content-type", "application/cloudevents-batch+json")],
                "it is a batch of CloudEvents: write each event to its own record"
            ),
            (
                "x", [("content-type", "application/cloudevents+avro")],
                "it is a CloudEvent, but not in JSON format"
            ),
            (
                #"{\#(attributes),"data":1,"data_base64":"AA=="}"#, [],
                "it has both 'data' and 'data_base64'"
            ),
            (#"{\#(attributes),"data_base64":"A"}"#, [], "its 'data_base64' is not valid Base64"),
            (#"{\#(attributes),"data_base64":7}"#, [], "its 'data_base64' is not valid Base64"),
            (
                #"{\#(attributes),"data_base64":"e30h"}"#, [],
                "its 'data_base64' is not valid JSON: unexpected content after the value at byte 2"
            ),
            ("", [], "the value is empty"),
            ("[", headers, "the value is not valid JSON: unexpected end"),
        ] as [(String, [(String, String?)], String)])
    func `is unparsable as`(
        _ value: String, _ headers: [(String, String?)], _ message: String
    ) throws {
        let result = try made(value, headers: headers)
        #expect(result.count == 1)
        #expect(result.notifications[0].drop?.reason == .unparsable)
        let detail = try #require(result.notifications[0].drop?.detail)
        #expect(detail.hasPrefix("connectors/orders.yaml: \(message)"), "\(detail)")
    }

    @Test func `has string attributes in either mode`() throws {
        let source = block.with(["payload": ["aps": ["badge": "${@ce.n | number}"]]])
        let structured = try made(#"{\#(attributes),"n":7,"data":{"token":"aa"}}"#, source)
        #expect(structured.notifications[0].body == #"{"aps":{"badge":7}}"#)
        let binary = try made(#"{"token":"aa"}"#, headers: headers + [("ce_n", "7")], source)
        #expect(binary.notifications[0].body == #"{"aps":{"badge":7}}"#)
        let array = try made(#"{\#(attributes),"n":[7],"data":{"token":"aa"}}"#, source)
        #expect(array.notifications[0].drop?.reason == .wrongType)
    }

    @Test(arguments: [
        ("${@ce.data}", "'@ce.data' is not an attribute", "paths start in the data: write ${name}"),
        (
            "${@ce.userId}", "'userId' cannot be the name of a CloudEvents attribute",
            "use lower-case letters and digits only"
        ),
    ])
    func `does not have an attribute of that name`(
        _ template: String, _ message: String, _ remedy: String
    ) {
        let source = block.with(["device_token": MappingSource(stringLiteral: template)])
        let found = problems(source, format: "cloudevents")
        #expect(found.map(\.message) == [message])
        #expect(found.map(\.remedy) == [remedy])
    }

    @Test func `must be declared in the connector`() {
        let found = problems(block.with(["collapse_id": "a"]))
        #expect(
            found.first?.remedy
                == "write format: cloudevents in 'source', or @headers.ce_type")
    }
}
