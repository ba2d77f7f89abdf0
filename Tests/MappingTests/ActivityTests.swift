import Delivery
import Mapping
import Testing

@Suite struct `An event for a live_activity` {
    private static let whole: MappingSource = [
        "event": "${kind}", "timestamp": "${at?}", "content_state": ["status": "${status}"],
        "attributes_type": "Delivery", "attributes": ["order": "${id}"],
        "stale_after": "${fresh_for?}", "dismissal_date": "${gone_at?}", "alert": "${alert?}",
    ]

    private static let withStaleDate = activity([
        "event": "${kind}", "content_state": "${state?}", "stale_date": "${stale_at}",
    ])

    private func drop(_ json: String, _ source: MappingSource = activity(whole)) throws -> Drop {
        try #require(try notification("{\"token\":\"ab\"," + json.dropFirst(), source).drop)
    }

    @Test(arguments: [
        (#"{"status":"s"}"#, DropReason.missingField, "${kind} is absent"),
        (#"{"kind":"begin","status":"s"}"#, .wrongType, "is not start, update or end"),
        (#"{"kind":"Update","status":"s"}"#, .wrongType, "is not start, update or end"),
        (#"{"kind":"","status":"s"}"#, .wrongType, "is not start, update or end"),
        (#"{"kind":1,"status":"s"}"#, .wrongType, "is not start, update or end"),
        (#"{"kind":["end"],"status":"s"}"#, .wrongType, "is not start, update or end"),
        (#"{"kind":"update"}"#, .missingField, "${status} is absent"),
        (#"{"kind":"start","status":"s","alert":{"body":"b"}}"#, .missingField, "${id} is absent"),
        (#"{"kind":"start","status":"s","id":1}"#, .payloadRule, "needs aps.alert"),
        (#"{"kind":"start","status":"s","id":1,"alert":""}"#, .payloadRule, "needs aps.alert"),
        (#"{"kind":"start","status":"s","id":1,"alert":{}}"#, .payloadRule, "needs aps.alert"),
        (
            #"{"kind":"start","status":"s","id":1,"alert":{"title":{"loc-key":""}}}"#,
            .payloadRule, "needs aps.alert"
        ),
        (#"{"kind":"update","status":"s","alert":["a"]}"#, .wrongType, "a string or an object"),
        (#"{"kind":"update","status":"s","alert":{"title":5}}"#, .wrongType, "aps.alert.title"),
    ])
    func `is dropped if it lacks what Apple needs`(
        json: String, reason: DropReason, message: String
    ) throws {
        let drop = try drop(json)
        #expect(drop.reason == reason)
        #expect(drop.detail.contains(message), "\(drop.detail)")
    }

    @Test(arguments: [
        (
            "at", "20455", "it must be a time from 2001 on",
            " (20455, which is 1970-01-01 in seconds)"
        ),
        ("at", "0", "it must be a time from 2001 on", " (0)"),
        ("at", "\"soon\"", "it must be a time from 2001 on", ""),
        ("at", "\"never\"", "it stands for never", " (never)"),
        ("at", "9223372036854775807", "it stands for never", " (9223372036854775807)"),
        ("gone_at", "-1", "it must be a time from 2001 on", " (-1)"),
        ("gone_at", "\"1999-05-05\"", "it must be a time from 2001 on", " (1999-05-05)"),
        ("stale_at", "0", "it must be a time from 2001 on", " (0)"),
        ("fresh_for", "\"-5m\"", "it must be a positive duration", " (-5m)"),
        ("fresh_for", "0", "it must be a positive duration", " (0)"),
        ("fresh_for", "\"later\"", "it must be a positive duration", ""),
    ])
    func `is dropped if one of its times is none`(
        member: String, text: String, rule: String, specifics: String
    ) throws {
        let source = member == "stale_at" ? Self.withStaleDate : activity(Self.whole)
        let drop = try drop(#"{"kind":"end","status":"s","\#(member)":\#(text)}"#, source)
        #expect(drop.reason == .invalidTimestamp)
        #expect(drop.cause.contains(rule), "\(drop.cause)")
        #expect(drop.specifics == specifics)
    }

    @Test(arguments: [
        ("stale_date", "${day}T25:00:00Z"), ("stale_after", "${day}m"), ("event", "${day}d"),
        ("dismissal_date", "${day} at noon"), ("timestamp", "${day}T25:00:00Z"),
    ])
    func `names the key whose text of several parts is wrong`(key: String, text: String) throws {
        var members = ["event": "end", "content_state": "${state?}"]
        members[key] = text
        let source = MappingSource.map(
            members.sorted { $0.key < $1.key }.map {
                MappingMember(
                    key: $0.key, keyLocation: .init(line: 9, column: 1),
                    value: .init(stringLiteral: $0.value))
            }, location: .init(line: 8, column: 1))
        let drop = try drop(#"{"day":"2026-01-01"}"#, activity(source))
        #expect(drop.detail.contains("9:1: 'live_activity.\(key)' is not "), "\(drop.detail)")
    }

    @Test(arguments: [#""not b64""#, #""""#, "7", "true"])
    func `is dropped if its input channel is none`(channel: String) throws {
        let source = activity([
            "event": "start", "content_state": ["a": 1], "attributes_type": "${type}",
            "attributes": ["a": 1], "alert": "a", "input_push_channel": "${channel}",
        ])
        let found = try drop(#"{"type":"A","channel":\#(channel)}"#, source)
        #expect(found.reason == .wrongType)
        #expect(found.detail.contains("the ID of a channel in Base64"), "\(found.detail)")
        let unnamed = try drop(#"{"type":"","channel":"YQ=="}"#, source)
        #expect(unnamed.detail.contains("the name of a type"), "\(unnamed.detail)")
    }

    @Test(arguments: [
        (#""input-push-channel":"not b64""#, "must be the ID of a channel in Base64"),
        (#""input-push-channel":"YQ==","input-push-token":1"#, "mutually exclusive"),
        (#""attributes-type":"""#, "must be the name of a type"),
    ])
    func `in a whole payload is checked like its keys`(members: String, message: String) throws {
        let type = members.contains("attributes-type") ? "" : #""attributes-type":"A","#
        let aps =
            #"{"event":"start","timestamp":1767261600,"alert":"a","content-state":{},"#
            + #""attributes":{},\#(type)\#(members)}"#
        let source: MappingSource = [
            "device_token": "${token}", "push_type": "liveactivity", "payload": "${payload}",
        ]
        let found = try drop(#"{"payload":{"aps":\#(aps)}}"#, source)
        #expect(found.detail.contains(message), "\(found.detail)")
    }

    @Test func `names the place of the key that its event lacks`() throws {
        let json =
            #"{"device_token":"${token}","live_activity":{"event":"update","#
            + #""content_state":"${state?}"}}"#
        let key = try #require(json.firstRange(of: "content_state")).lowerBound
        let column = json.utf8.distance(from: json.startIndex, to: key)
        let found = try drop(#"{"n":1}"#, MappingSource(json: json))
        #expect(found.detail.contains("orders.yaml:1:\(column): "), "\(found.detail)")
    }

    @Test func `is dropped if it is too large, with what to shorten`() throws {
        let compiled = MappingPlan.compile(
            notification: activity(Self.whole), when: nil, defaults: defaults, hash: sha256)
        var mapper = Mapper(plan: try #require(compiled.plan))
        mapper.explains = true
        let long = String(repeating: "x", count: 5000)
        let record = TestRecord(json: #"{"token":"ab","kind":"update","status":"\#(long)"}"#)
        var result = MappedRecord()
        mapper.map(record.makeRecord(), now: 1_767_261_600_000, into: &result)
        let drop = try #require(result.notifications[0].drop)
        #expect(drop.reason == .payloadTooLarge)
        #expect(drop.detail.contains("liveactivity takes 4096 bytes, the payload has 5"))
        #expect(mapper.explanations[drop.detail]?.first?.contains("'content_state'") == true)
    }

    @Test(arguments: [#""a""#, #"{"body":"b"}"#, #"{"title":{"loc-key":"A","loc-args":["b"]}}"#])
    func `starts with an alert that displays something`(alert: String) throws {
        let event = #"{"token":"ab","kind":"start","status":"s","id":1,"alert":\#(alert)}"#
        #expect(try notification(event, activity(Self.whole)).drop == nil)
    }

    @Test func `takes with it only what its event may have`() throws {
        let rest = #""status":"s","at":1767261600,"gone_at":0,"id":7,"alert":"Hi""#
        let bodies = try ["start", "update", "end"].map { event in
            let json = #"{"token":"ab","kind":"\#(event)",\#(rest)}"#
            return try notification(json, activity(Self.whole)).body
        }
        let state = #""timestamp":1767261600,"content-state":{"status":"s"}"#
        #expect(
            bodies == [
                #"{"aps":{"event":"start",\#(state),"attributes-type":"Delivery","#
                    + #""attributes":{"order":7},"alert":"Hi"}}"#,
                #"{"aps":{"event":"update",\#(state),"alert":"Hi"}}"#,
                #"{"aps":{"event":"end",\#(state),"dismissal-date":0,"alert":"Hi"}}"#,
            ])
    }

    @Test func `needs no value of members that other events have`() throws {
        let json = #"{"token":"ab","kind":"update","status":"s"}"#
        #expect(try notification(json, activity(Self.whole)).drop == nil)
    }

    @Test func `shows no fallback of members that other events have`() throws {
        let compiled = MappingPlan.compile(
            notification: activity(Self.whole), when: nil, defaults: defaults, hash: sha256)
        var mapper = Mapper(plan: try #require(compiled.plan))
        mapper.explains = true
        var result = MappedRecord()
        let record = TestRecord(
            json: #"{"token":"ab","kind":"update","status":"s","at":1767261600}"#)
        mapper.map(record.makeRecord(), now: 1_767_261_600_000, into: &result)
        #expect(
            mapper.fallbacks.map(\.written).sorted() == ["${alert?}", "${fresh_for?}"])
    }
}

@Suite struct `The payload of a live_activity` {
    private static let update: MappingSource = [
        "event": "update", "content_state": ["status": "${status}"],
    ]

    private func body(_ members: MappingSource, _ rest: String = "") throws -> String {
        let made = try notification(#"{"token":"ab","status":"s"\#(rest)}"#, activity(members))
        return made.drop?.detail ?? made.body
    }

    @Test func `has the push type and the time of the event by default`() throws {
        let json = #"{"token":"ab","status":"on its way"}"#
        let made = try notification(json, activity(Self.update))
        #expect(made.pushType == .liveactivity)
        #expect(made.priority == 5)
        #expect(
            made.body == #"{"aps":{"event":"update","timestamp":1767261600,"#
                + #""content-state":{"status":"on its way"}}}"#)
    }

    @Test func `is the same after a restart and at any time of the clock`() throws {
        let clocks: [Int64] = [1_767_261_600_000, 0, 4_000_000_000_000]
        let bodies = try clocks.map { now in
            let record = TestRecord(json: #"{"token":"ab","status":"s"}"#)
            return try mapped(record, activity(Self.update), now: now).notifications[0].body
        }
        #expect(Set(bodies).count == 1)
    }

    @Test func `has the current time if neither the event nor the record has one`() throws {
        let record = TestRecord(json: #"{"token":"ab","status":"s"}"#)
        record.timestamp = nil
        let made = try mapped(record, activity(Self.update), now: 1_767_000_000_999)
        #expect(made.notifications[0].body.contains(#""timestamp":1767000000,"#))
        #expect(made.isTimeUnknown)
    }

    @Test func `has the event_time of the block unless it has a timestamp of its own`() throws {
        let json = #"{"token":"ab","status":"s","at":"2026-01-02T00:00:00Z","then":1767225600}"#
        let source = activity(Self.update).with(["event_time": "${at}"])
        #expect(try notification(json, source).body.contains(#""timestamp":1767312000,"#))
        let own = source.with(["live_activity": Self.update.with(["timestamp": "${then}"])])
        #expect(try notification(json, own).body.contains(#""timestamp":1767225600,"#))
    }

    @Test(arguments: [
        "1767276000", "1767276000000", "1767276000000000", "\"1767276000\"",
        "\"2026-01-01T14:00:00Z\"", "\"2026-01-01T15:00:00.25+01:00\"", "[2026,1,1,14,0]",
    ])
    func `has times in seconds, however the event writes them`(time: String) throws {
        let members = Self.update.with(["timestamp": "${at}", "stale_date": "${at}"])
        #expect(
            try body(members, ",\"at\":\(time)")
                == #"{"aps":{"event":"update","timestamp":1767276000,"#
                + #""content-state":{"status":"s"},"stale-date":1767276000}}"#)
    }

    @Test func `is outdated some time after its timestamp`() throws {
        for (span, after) in [("5m", 300), ("PT1H", 3600), ("90", 90)] {
            let members = Self.update.with([
                "timestamp": "${at}", "stale_after": .text(span),
            ])
            let end = "\"stale-date\":\(1_767_276_000 + after)}}"
            #expect(try body(members, ",\"at\":1767276000").hasSuffix(end))
        }
        let far = Self.update.with(["stale_after": "${span}"])
        #expect(
            try body(far, ",\"span\":9999999999").contains("\"stale-date\":2147483647}"))
    }

    @Test func `leaves out optional members that are absent`() throws {
        let members = Self.update.with([
            "timestamp": "${at?}", "stale_date": "${stale_at?}", "relevance_score": "${score?}",
            "alert": ["title": "${title?}"],
        ])
        #expect(
            try body(members)
                == #"{"aps":{"event":"update","timestamp":1767261600,"#
                + #""content-state":{"status":"s"},"alert":{}}}"#)
    }

    @Test func `removes an ended activity at once with 0, and never with never`() throws {
        let end: MappingSource = ["event": "end", "dismissal_date": "${at}"]
        #expect(try body(end, ",\"at\":0").hasSuffix(#","dismissal-date":0}}"#))
        #expect(
            try body(end, ",\"at\":\"never\"").hasSuffix(#","dismissal-date":2147483647}}"#))
    }

    @Test func `starts an activity that gets a token or a channel`() throws {
        let start: MappingSource = [
            "event": "start", "content_state": "${state}", "attributes_type": "Delivery",
            "attributes": "${order}", "relevance_score": 7.5.written,
            "alert": ["title": ["loc-key": "ACCEPTED", "loc-args": ["${order.id}"]]],
        ]
        let rest = #","state":{"step":1},"order":{"id":7},"channel":"dHN0LXNyY2g=""#
        let common =
            #"{"aps":{"event":"start","timestamp":1767261600,"content-state":{"step":1},"#
            + #""attributes-type":"Delivery","attributes":{"id":7},"relevance-score":7.5,"#
        let alert = #""alert":{"title":{"loc-key":"ACCEPTED","loc-args":["7"]}}}}"#
        #expect(
            try body(start.with(["input_push_token": true]), rest)
                == common + #""input-push-token":1,"# + alert)
        #expect(
            try body(start.with(["input_push_channel": "${channel}"]), rest)
                == common + #""input-push-channel":"dHN0LXNyY2g=","# + alert)
    }

    @Test func `is the same as that of a payload`() throws {
        let old: MappingSource = [
            "device_token": "${token}", "priority": 5, "push_type": "liveactivity",
            "payload": [
                "aps": [
                    "event": "end", "timestamp": "${at}",
                    "content-state": ["status": "${status}"], "alert": ["body": "Bye"],
                ]
            ],
        ]
        let members: MappingSource = [
            "event": "end", "timestamp": "${at}", "content_state": ["status": "${status}"],
            "alert": ["body": "Bye"],
        ]
        let json = #"{"token":"ab","status":"s","at":1767276000}"#
        let (new, before) = (
            try notification(json, activity(members)), try notification(json, old)
        )
        #expect(new.body == before.body)
        #expect(new.pushType == before.pushType)
        #expect(new.priority == before.priority)
    }

    @Test func `has the time of each element of a list of a thousand`() throws {
        let source = activity([
            "event": "update", "content_state": ["a": 1], "stale_after": "1m",
        ]).with([
            "for_each": ["items": "${all}", "as": "one"], "device_token": "${one.token}",
            "event_time": "${one.at}",
        ])
        let elements = (0..<1000).map { #"{"token":"\#(1000 + $0)","at":\#(1_767_261_600 + $0)}"# }
        let record = TestRecord(json: "{\"all\":[\(elements.joined(separator: ","))]}")
        let made = try mapped(record, source)
        #expect(made.count == 1000)
        for index in 0..<1000 {
            let time = 1_767_261_600 + index
            #expect(
                made.notifications[index].body == #"{"aps":{"event":"update","timestamp":"#
                    + #"\#(time),"content-state":{"a":1},"stale-date":\#(time + 60)}}"#)
        }
    }
}

extension Double {
    /// The number as a scalar of the file.
    fileprivate var written: MappingSource { .plain("\(self)") }
}
