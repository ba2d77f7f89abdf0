import BridgeSamples
import Delivery
import Mapping
import Testing

@testable import Engine

@Suite(
    .enabled(
        if: Python.hasValidator,
        "python3-jsonschema is not installed: it is the independent validator"))
struct `The schema of canonical events` {
    private let token = #""device_token":"ab01""#
    private let badge = #""payload":{"aps":{"badge":1}}"#

    /// Members added to a valid event, and whether it is still valid.
    private let members: [(String, Bool)] = [
        (#""x":1"#, true),
        (#""push_type":"alert""#, true), (#""push_type":null"#, true),
        (#""push_type":"alart""#, false), (#""push_type":"mdm""#, false),
        (#""push_type":"background""#, false), (#""push_type":"voip""#, true),
        (#""push_type":"complication""#, true), (#""push_type":"location""#, true),
        (#""push_type":"fileprovider""#, false), (#""push_type":"liveactivity""#, false),
        (#""push_type":"pushtotalk""#, true), (#""push_type":"widgets""#, false),
        (#""priority":10"#, true), (#""priority":"5""#, true), (#""priority":1"#, true),
        (#""priority":7"#, false), (#""priority":null"#, true), (#""priority":{}"#, false),
        (#""push_type":"location","priority":1"#, true),
        (#""push_type":"background","priority":1"#, false),
        (#""push_type":"voip","priority":1"#, true),
        (#""push_type":"pushtotalk","priority":5"#, true),
        (#""collapse_id":"order 1""#, true), (#""collapse_id":"""#, false),
        (#""collapse_id":"é""#, false), (#""collapse_id":null"#, true),
        (#""collapse_id":"\#(String(repeating: "a", count: 64))""#, true),
        (#""collapse_id":"\#(String(repeating: "a", count: 65))""#, false),
        (#""expiration":0"#, true), (#""expiration":1767276000"#, true),
        (#""expiration":"1767276000123""#, true), (#""expiration":100000000000000"#, true),
        (#""expiration":1767276000123456789"#, true), (#""expiration":9223372036854775808"#, false),
        (#""expiration":-1"#, false), (#""expiration":1767276000.5"#, true),
        (#""expiration":"1767276000.5""#, true), (#""expiration":"-1.5""#, false),
        (#""expiration":"2026-01-01""#, true), (#""expiration":"2026-01-01T10:00Z""#, true),
        (#""expiration":"2026-01-01T10:00:00,5+0130""#, true),
        (#""expiration":"2026-01-01T10:00-05""#, true), (#""expiration":"2026-1-1""#, false),
        (#""expiration":"2026-01-01T10:00""#, false), (#""expiration":"2026-01-01T""#, false),
        (#""expiration":"2026-01-01T10:00:00Z""#, true),
        (#""expiration":"2026-01-01 10:00:00.123+01:00""#, true),
        (#""expiration":"2026-01-01T10:00:00""#, false), (#""expiration":"soon""#, false),
        (#""expiration":"2026-13-01T10:00:00Z""#, false), (#""expiration":true"#, false),
        (#""ttl":60"#, true), (#""ttl":0"#, false), (#""ttl":"90""#, true), (#""ttl":"4h""#, true),
        (#""ttl":"1d2h3m4s""#, true), (#""ttl":"2h1d""#, false), (#""ttl":"0s""#, false),
        (#""ttl":"1h 30m""#, false), (#""ttl":"""#, false), (#""ttl":null"#, true),
        (#""ttl":60,"expiration":0"#, true), (#""ttl":60,"expiration":"0""#, true),
        (#""ttl":60,"expiration":null"#, true), (#""ttl":60,"expiration":1767276000"#, false),
        (#""event_time":"2026-01-01T10:00:00Z""#, true), (#""event_time":"now""#, false),
        (#""bundle_id":"com.example.pay""#, true), (#""bundle_id":"""#, false),
        (#""bundle_id":"com.example.pay.voip""#, true), (#""bundle_id":"a b""#, false),
        (#""bundle_id":"com.example.push-type.controls""#, true),
        (#""apns_id":"1D490EB6-950b-59B2-95A8-8E0E391D7643""#, true),
        (#""apns_id":"1d490eb6950b59b295a88e0e391d7643""#, false),
        (#""environment":"production""#, true), (#""environment":"live""#, false),
        (#""device_tokens":["cd02"]"#, false), (#""device_tokens":null"#, true),
    ]

    /// Device token members, and whether an event with them is valid.
    private let tokens: [(String, Bool)] = [
        (#""device_token":"AB01""#, true), (#""device_token":"abc""#, false),
        (#""device_token":"<ab cd>""#, false), (#""device_token":"""#, false),
        (#""device_token":null"#, false), (#""x":1"#, false),
        (#""device_tokens":["ab","CD",null]"#, true), (#""device_tokens":[]"#, false),
        (#""device_tokens":[null]"#, false), (#""device_tokens":["ab","x"]"#, false),
        (#""device_tokens":"ab, cd,,ef,""#, true), (#""device_tokens":"ab cd""#, false),
        (#""device_tokens":"""#, false), (#""device_tokens":",""#, false),
        (#""device_tokens":7"#, false), (#""device_token":null,"device_tokens":["ab"]"#, true),
        // An alert is no broadcast.
        (#""channel_id":"Y2hhbm5lbA==""#, false),
        (#""device_token":"ab","channel_id":null"#, true),
        (#""device_token":"ab","channel_id":"Y2hhbm5lbA==""#, false),
    ]

    /// Members of an event that broadcasts an update, and whether it is valid with them.
    private let broadcasts: [(String, Bool)] = [
        (#""channel_id":"Y2hhbm5lbA==""#, true), (#""channel_id":"Y2hhbm5lbA""#, true),
        (#""channel_id":"""#, false), (#""channel_id":"channel 7""#, false),
        (#""channel_id":"Y2hh=bA""#, false), (#""channel_id":"Y2===""#, false),
        (#""channel_id":"\#(String(repeating: "A", count: 1025))""#, false),
        (#""channel_id":"Y2hhbm5lbA==","push_type":"liveactivity""#, true),
        (#""channel_id":"Y2hhbm5lbA==","push_type":"alert""#, false),
        (#""channel_id":"Y2hhbm5lbA==","push_type":"widgets""#, false),
        (#""channel_id":"Y2hhbm5lbA==","push_type":"liveactivity","priority":1"#, true),
        (#""channel_id":"Y2hhbm5lbA==","priority":1"#, true),
        (#""channel_id":"Y2hhbm5lbA==","priority":2"#, false),
        (#""channel_id":"Y2hhbm5lbA==","collapse_id":"a""#, false),
        (#""channel_id":"Y2hhbm5lbA==","collapse_id":null"#, true),
        (#""channel_id":"Y2hhbm5lbA==","device_token":"ab""#, false),
        (#""channel_id":"Y2hhbm5lbA==","device_tokens":["ab"]"#, false),
        (#""channel_id":"Y2hhbm5lbA==","expiration":0"#, true),
    ]

    /// What a broadcast may contain in `aps`.
    private let broadcastPayloads: [(String, Bool)] = [
        (#""event":"update","timestamp":1767261600,"content-state":{}"#, true),
        (#""event":"update","timestamp":1767261600"#, false),
        (#""event":"end","timestamp":1767261600"#, true),
        (#""event":"end""#, false), (#""timestamp":1767261600"#, false), (#""badge":1"#, false),
        (
            #""event":"start","timestamp":1767261600,"content-state":{},"attributes-type":"A","#
                + #""attributes":{},"alert":{"title":"t"}"#, false
        ),
    ]

    /// Push types and payloads, and whether they match.
    private let payloads: [(String, String, Bool)] = [
        ("alert", #"{"aps":{"alert":"x"}}"#, true), ("alert", #"{"aps":{"sound":"x"}}"#, true),
        ("alert", #"{"aps":{"alert":null}}"#, false), ("alert", "{}", false),
        ("alert", #"{"aps":null}"#, false),
        ("background", #"{"aps":{"content-available":1}}"#, true),
        ("background", #"{"aps":{"content-available":true}}"#, false),
        ("background", #"{"aps":{"content-available":1,"badge":0}}"#, false),
        ("background", #"{"aps":{"content-available":1,"badge":null}}"#, true),
        ("voip", "{}", true), ("voip", #"{"aps":null}"#, true),
        ("fileprovider", #"{"container-identifier":"c","domain":"d"}"#, true),
        ("fileprovider", #"{"container-identifier":"c"}"#, true),
        ("fileprovider", #"{"domain":"d"}"#, false),
        ("fileprovider", #"{"container-identifier":"c","domain":"d","aps":{}}"#, false),
        ("mdm", #"{"mdm":"M"}"#, true), ("mdm", #"{"mdm":""}"#, false), ("mdm", "{}", false),
        ("mdm", #"{"mdm":5}"#, false), ("mdm", #"{"mdm":"M","aps":{}}"#, false),
        ("mdm", #"{"mdm":"M","aps":null}"#, true),
        ("widgets", #"{"aps":{"content-changed":true}}"#, true),
        ("controls", #"{"aps":{"content-changed":"true"}}"#, false),
        ("liveactivity", #"{"aps":{"event":"end","timestamp":1767261600}}"#, true),
        ("liveactivity", #"{"aps":{"event":"update","timestamp":1767261600}}"#, false),
        ("liveactivity", #"{"aps":{"event":"end"}}"#, false),
        (
            "liveactivity",
            #"{"aps":{"event":"start","timestamp":1767261600,"content-state":{},"attributes-type":"#
                + #""A","attributes":{},"alert":{"title":"t"}}}"#, true
        ),
        (
            "liveactivity",
            #"{"aps":{"event":"start","timestamp":1767261600,"content-state":{},"attributes-type":"#
                + #""A","attributes":{}}}"#, false
        ),
    ]

    private var events: [(text: String, isValid: Bool)] {
        members.map { ("{\(token),\(badge),\($0.0)}", $0.1) }
            + tokens.map { ("{\(badge),\($0.0)}", $0.1) }
            + broadcasts.map {
                let update = #""event":"update","timestamp":1767261600,"content-state":{}"#
                return (#"{"payload":{"aps":{\#(update)}},\#($0.0)}"#, $0.1)
            }
            + broadcastPayloads.map {
                (#"{"channel_id":"Y2hhbm5lbA==","payload":{"aps":{\#($0.0)}}}"#, $0.1)
            }
            + payloads.map {
                let app = $0.0 == "mdm" ? #","bundle_id":"com.apple.mgmt.External.a""# : ""
                return (
                    #"{\#(token),"push_type":"\#($0.0)"\#(app),"payload":\#($0.1)}"#, $0.2
                )
            }
            + ["[]", "1", "null", "{}", "{\(token)}", "{\(token),\"payload\":[]}"].map {
                ($0, false)
            }
    }

    /// Whether the mapper turns an event into pushes and drops none.
    private func isAccepted(_ event: String, _ mapper: inout Mapper) -> Bool {
        var result = MappedRecord()
        let record = Record.owning(
            assignment: AssignmentID(0),
            topicPartition: TopicPartition(topic: "shop.orders", partition: 0), offset: 0,
            value: Array(event.utf8))
        mapper.map(record, now: EngineHarness.start, into: &result)
        return result.notifications[0..<result.count].allSatisfy { $0.drop == nil }
    }

    @Test func `accepts what the mapper accepts, and rejects what it drops`() throws {
        var mapper = Mapper(plan: try Samples.canonicalPlan())
        let events = events
        let accepted = try Python.accepts(events.map(\.text), schema: EventSchema.text)
        #expect(accepted.count == events.count)
        for (index, event) in events.enumerated() {
            let isAccepted = isAccepted(event.text, &mapper)
            #expect(isAccepted == event.isValid, "the mapper: \(event.text)")
            #expect(accepted[index] == event.isValid, "the schema: \(event.text)")
        }
    }

    @Test func `is stricter only where the mapper accepts numbers as strings`() throws {
        let numbers = [
            #"{"device_token":1234,"payload":{"aps":{"badge":1}}}"#,
            "{\(token),\(badge),\"collapse_id\":7741}",
        ]
        #expect(try Python.accepts(numbers, schema: EventSchema.text) == [false, false])
        var mapper = Mapper(plan: try Samples.canonicalPlan())
        for event in numbers { #expect(isAccepted(event, &mapper), "\(event)") }
    }

    @Test func `is laxer only about sizes, calendar dates, the environment and mdm's app`() throws {
        let long = String(repeating: "x", count: 4096)
        let unknowable = [
            "{\(token),\(badge),\"expiration\":\"2026-02-30T10:00:00Z\"}",
            "{\(token),\(badge),\"environment\":\"development\"}",
            "{\(token),\"payload\":{\"aps\":{\"alert\":\"\(long)\"}}}",
            #"{\#(token),"push_type":"mdm","payload":{"mdm":"M"}}"#,
        ]
        let accepted = try Python.accepts(unknowable, schema: EventSchema.text)
        #expect(accepted == [true, true, true, true])
        var mapper = Mapper(plan: try Samples.canonicalPlan())
        for event in unknowable { #expect(!isAccepted(event, &mapper), "\(event)") }
    }
}
