import Delivery
import Mapping
import Testing

@Suite struct `A record without a push` {
    @Test(
        arguments: [
            (nil, "tombstone", "connectors/orders.yaml: the record's value is null"),
            ("", "unparsable", "connectors/orders.yaml: the value is empty"),
            (
                "{\"a\":tru}", "unparsable",
                "connectors/orders.yaml: the value is not valid JSON: expected a value at"
                    + " byte 5"
            ),
            ("\u{0}\u{0}", "unparsable", nil), ("{\"a\":\"\\ud80\"}", "unparsable", nil),
        ] as [(String?, String, String?)])
    func `is dropped with the reason if it cannot be read`(
        _ value: String?, _ reason: String, _ detail: String?
    ) throws {
        let result = try mapped(TestRecord(value.map { Array($0.utf8) }), minimal)
        #expect(result.count == 1)
        let made = result.notifications[0]
        #expect(made.drop?.reason.rawValue == reason)
        if let detail { #expect(made.drop?.detail == detail) }
        #expect(made.eventTime == 1_767_261_600_000)
        #expect(String(decoding: made.bundleID, as: UTF8.self) == "com.example.shop")
    }

    @Test func `is dropped if it is larger than one MiB`() throws {
        let large = TestRecord(json: "\"" + String(repeating: "a", count: 1 << 20) + "\"")
        #expect(try mapped(large, minimal).notifications[0].drop?.reason == .recordTooLarge)
    }

    @Test(arguments: [
        ("device_token", "${v}", "\"abc\"", "invalid_device_token"),
        ("device_token", "${v}", "\"<ab cd>\"", "invalid_device_token"),
        ("device_token", "${v}", "\"\"", "invalid_device_token"),
        ("device_token", "${v}", "{}", "wrong_type"),
        ("device_token", "${v}", "true", "wrong_type"),
        ("device_token", "${v}", "null", "missing_field"),
        ("collapse_id", "${v}", "\"\"", "invalid_collapse_id"),
        ("collapse_id", "a${v}", "\"\\u0001\"", "invalid_collapse_id"),
        ("collapse_id", "a${v}", "\"é\"", "invalid_collapse_id"),
        (
            "collapse_id", "aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa${v}",
            "1", "invalid_collapse_id"
        ),
        ("collapse_id", "${v}", "null", "missing_field"),
        ("expiration", "${v}", "9223372036854775808", "invalid_expiration"),
        ("expiration", "${v}", "-1", "invalid_expiration"),
        ("expiration", "${v}", "-1.5", "invalid_expiration"),
        ("expiration", "${v}", "\"2026-13-01\"", "invalid_expiration"),
        ("expiration", "${v}", "\"2026-01-01T10:00:00\"", "invalid_expiration"),
        ("expiration", "${v}", "\"2026-02-30T10:00:00Z\"", "invalid_expiration"),
        ("expiration", "${v}", "[]", "invalid_expiration"),
        ("ttl", "${v}", "\"soon\"", "invalid_expiration"),
        ("ttl", "${v}", "0", "invalid_expiration"),
        ("push_type", "${v}", "\"alart\"", "invalid_push_type"),
        ("push_type", "${v}", "\"mdm\"", "invalid_push_type"),
        (
            "push_type", "${v}", "\"a text that is far longer than any push type\"",
            "invalid_push_type"
        ),
        ("push_type", "${v}", "\"background\"", "payload_rule"),
        ("priority", "${v}", "7", "invalid_priority"),
        ("priority", "${v}", "\"high\"", "invalid_priority"),
        ("apns_id", "${v}", "\"17\"", "invalid_apns_id"),
        ("bundle_id", "${v}", "\"\"", "invalid_bundle_id"),
        ("bundle_id", "${v}", "\"com.example_shop\"", "invalid_bundle_id"),
        ("bundle_id", "${v}", "\"a\\r\\nb: c\"", "invalid_bundle_id"),
        ("event_time", "${v}", "\"now\"", "invalid_event_time"),
        ("event_time", "${v}", "0", "invalid_event_time"),
        ("event_time", "${v}", "253402300799", "invalid_event_time"),
        ("event_time", "${v}", "\"never\"", "invalid_event_time"),
        ("expiration", "${v}", "20455", "invalid_expiration"),
        ("expiration", "${v}", "500000000000", "invalid_expiration"),
        ("expiration", "${v}", "[2026,13,1]", "invalid_expiration"),
        ("expiration", "${v}", "[2026,1]", "invalid_expiration"),
        ("ttl", "${v}", "\"P1M\"", "invalid_expiration"),
        ("environment", "${v}", "\"development\"", "wrong_environment"),
        ("payload", "${v}", "[1]", "wrong_type"),
        ("payload", "${v}", "{}", "alert_empty"),
        ("payload", "${v}", "{\"aps\":{\"alert\":null}}", "alert_empty"),
    ])
    func `is dropped if it has an invalid field`(
        _ field: String, _ template: String, _ value: String, _ reason: String
    ) throws {
        let source = minimal.with([field: MappingSource(stringLiteral: template)])
        let made = try notification("{\"token\":\"ab\",\"v\":\(value)}", source)
        #expect(made.drop?.reason.rawValue == reason)
    }

    @Test func `is not dropped for a bundle identifier with a suffix of a push type`() throws {
        let made = try notification(
            #"{"token":"ab","v":"com.example.voip"}"#, minimal.with(["bundle_id": "${v}"]))
        #expect(made.drop == nil)
        #expect(made.bundleID == Array("com.example.voip".utf8))
    }

    @Test(arguments: [
        ("badge", "\"3\"", "wrong_type"), ("badge", "-1", "wrong_type"),
        ("badge", "1.5", "wrong_type"),
        ("content-available", "true", "wrong_type"),
        ("stale-date", "20455", "invalid_timestamp"),
        ("timestamp", "\"x\"", "wrong_type"), ("interruption-level", "\"loud\"", "wrong_type"),
        ("alert", "[1]", "wrong_type"), ("thread-id", "{}", "wrong_type"),
        ("thread-id", "true", "wrong_type"),
        ("relevance-score", "1.01", "wrong_type"), ("content-state", "1", "wrong_type"),
    ])
    func `is dropped if it has an invalid value in aps`(
        _ key: String, _ value: String, _ reason: String
    )
        throws
    {
        var aps: MappingSource = ["sound": "default"]
        aps = aps.with([key: "${v}"])
        let made = try notification(
            "{\"token\":\"ab\",\"v\":\(value)}", minimal.with(["payload": ["aps": aps]]))
        #expect(made.drop?.reason.rawValue == reason)
        #expect(made.payload.isEmpty)
    }

    @Test(arguments: [
        (
            #"{"alert":"A","badge":"5"}"#, "wrong_type",
            "'aps.badge' in the payload must be a whole number of at least 0"
        ),
        (#"{"alert":7}"#, "wrong_type", "'aps.alert' in the payload must be a string or an object"),
        (
            #"{"alert":{"title":["A"]}}"#, "wrong_type",
            "'aps.alert.title' in the payload must be a string"
        ),
        (
            #"{"alert":"A","stale-date":20455}"#, "invalid_timestamp",
            "'aps.stale-date' in the payload must be a time in seconds since 1970 (20455, which is"
                + " 1970-01-01 in seconds)"
        ),
        (
            #"{"alert":"A","badge":1,"badge":2}"#, "payload_rule",
            "the payload has 'aps.badge' twice"
        ),
        (#"{"alert":"A"},"aps":{"alert":"B"}"#, "payload_rule", "the payload has 'aps' twice"),
    ])
    func `is dropped if its whole payload breaks the rules for written ones`(
        _ aps: String, _ reason: String, _ detail: String
    ) throws {
        let event = #"{"token":"ab","push":{"aps":\#(aps)}}"#
        let made = try notification(event, minimal.with(["payload": "${push}"]))
        #expect(made.drop?.reason.rawValue == reason)
        #expect(made.drop?.detail.hasSuffix(detail) == true, "\(made.drop?.detail ?? "")")
        let canonical = try notification(
            #"{"device_token":"ab","payload":{"aps":\#(aps)}}"#, nil as MappingSource?)
        #expect(canonical.drop?.reason.rawValue == reason)
        // A payload with a default is not checked where it stands in the event.
        let composed = try notification(event, minimal.with(["payload": "${push ?? push}"]))
        #expect(composed.drop == made.drop)
    }

    @Test(arguments: [
        #"{ "token" : "ab", "push" : { "a\u0070s" : { "alert" : "A", "b\u0061dge" : "5" } } }"#,
        #"{"token":"ab","push":{"aps":{"alert":"A","badge":12},"x":[ {"aps":{"badge":"x"}} ]}}"#,
        #"{"token":"ab","push":{"aps":{"alert":"A","badge":-1}}}"#,
        #"{"token":"ab","push":{"aps":{"alert":"A","badge":1.5}}}"#,
        #"{"token":"ab","push":{"aps":{"alert":"A","mutable-content":1,"content-available":2}}}"#,
        #"{"token":"ab","push":{"aps":{"alert":"A","interruption-level":"activ\u0065"}}}"#,
        #"{"token":"ab","push":{"aps":{"alert":"A","interruption-level":"loud"}}}"#,
        #"{"token":"ab","push":{"aps":{"alert":"A","relevance-score":1.01}}}"#,
        #"{"token":"ab","push":{"aps":{"alert":{"loc-args":{}}}}}"#, #"{"token":"ab","push":{}}"#,
        #"{"token":"ab","push":{"aps":{},"mine":{"aps":{}}}}"#,
        #"{"token":"ab","push":{"aps":{}}}"#,
        #"{"token":"ab","push":{"aps":[1]}}"#, #"{"token":"ab","push":{"aps":{"alert":null}}}"#,
        #"{"token":"ab","push":{"aps":{"content-available":1}}}"#,
    ])
    func `or is not, alike for a whole payload and for one that is composed`(
        _ event: String
    ) throws {
        for type: MappingSource in ["alert", "background", "liveactivity", "widgets"] {
            let source = minimal.with(["push_type": type, "priority": "5"])
            let whole = try notification(event, source.with(["payload": "${push}"]))
            let composed = try notification(event, source.with(["payload": "${push ?? push}"]))
            #expect(whole.drop == composed.drop)
            #expect(whole.payload == composed.payload)
        }
    }

    @Test(arguments: [
        #"{"aps":{"alert":{"title":"A","mine":[1]},"badge":0,"sound":{"volume":1}},"x":{"aps":1}}"#,
        #"{"aps":{"alert":"A","badge":null,"unknown":true}}"#,
        #"{"aps":{},"acme1":"bar","acme2":[5,8]}"#,
    ])
    func `is not one with a valid whole payload`(_ payload: String) throws {
        let event = #"{"token":"ab","push":\#(payload)}"#
        let made = try notification(event, minimal.with(["payload": "${push}"]))
        #expect(made.drop == nil)
        #expect(String(decoding: made.payload, as: UTF8.self) == payload)
    }

    @Test func `is not one that wakes an app with priority 5`() throws {
        let silent: MappingSource = ["aps": ["content-available": 1]]
        let event = #"{"token":"ab","p":5,"q":10}"#
        let made = try notification(
            event, minimal.with(["payload": silent, "priority": "${p}"]))
        #expect(made.drop == nil && made.pushType == .alert && made.priority == 5)
        let loud = try notification(
            event, minimal.with(["payload": silent, "priority": "${q}"]))
        #expect(loud.drop?.reason == .alertEmpty)
    }

    @Test func `is not one with an empty aps and keys of the app's own`() throws {
        let payload: MappingSource = ["aps": [:], "acme1": "bar"]
        let made = try notification(#"{"token":"ab"}"#, minimal.with(["payload": payload]))
        #expect(made.drop == nil)
        #expect(String(decoding: made.payload, as: UTF8.self) == #"{"aps":{},"acme1":"bar"}"#)
    }

    @Test func `is dropped with the line and column of the template`() throws {
        let body = MappingSource.scalar(
            text: "Hi ${customer.name}", style: .quoted,
            location: MappingLocation(line: 8, column: 26),
            end: MappingLocation(line: 8, column: 47))
        let source = minimal.with(["payload": ["aps": ["alert": ["body": body]]]])
        let made = try notification("{\"token\":\"ab\"}", source)
        #expect(
            made.drop
                == Drop(.missingField, "connectors/orders.yaml:8:30: ${customer.name} is absent"))
    }

    @Test func `is dropped without a device token in the detail`() throws {
        let made = try notification("{\"token\":\"deadbeefzz\"}")
        #expect(made.drop?.reason == .invalidDeviceToken)
        #expect(made.drop?.detail.contains("deadbeef") == false)
        #expect(made.destination.identifier.isEmpty)
    }

    @Test func `is dropped with what is known of it`() throws {
        let source = minimal.with([
            "collapse_id": "order-${id}", "event_time": "${at}", "priority": "${p}",
            "bundle_id": "${app}",
        ])
        let made = try notification(
            "{\"token\":\"ABCD\",\"id\":7,\"at\":1767000000,\"p\":3,\"app\":\"com.example.pay\"}",
            source)
        #expect(made.drop?.reason == .invalidPriority)
        #expect(made.tokenText == "abcd")
        #expect(made.collapseText == "order-7")
        #expect(made.eventTime == 1_767_000_000_000)
        #expect(String(decoding: made.bundleID, as: UTF8.self) == "com.example.pay")
    }

    @Test func `is dropped if its final payload is larger than its push type allows`() throws {
        let source = minimal.with(["payload": ["aps": ["alert": "${v}"]]])
        let fits = String(repeating: "\\u0041", count: 4096 - "{\"aps\":{\"alert\":\"\"}}".count)
        #expect(
            try notification("{\"token\":\"ab\",\"v\":\"\(fits)\"}", source).payload.count == 4096)
        let made = try notification("{\"token\":\"ab\",\"v\":\"\(fits)a\"}", source)
        #expect(made.drop?.reason == .payloadTooLarge)
        #expect(made.drop?.detail.hasSuffix("alert takes 4096 bytes, the payload has 4097") == true)
        let voip = source.with(["push_type": "voip"])
        #expect(try notification("{\"token\":\"ab\",\"v\":\"\(fits)a\"}", voip).drop == nil)
    }

    @Test func `is dropped if it asks for a background push with priority 10`() throws {
        let source = minimal.with([
            "push_type": "background", "payload": ["aps": ["content-available": 1]],
            "priority": "${p}",
        ])
        #expect(
            try notification("{\"token\":\"ab\",\"p\":10}", source).drop?.reason
                == .backgroundPriority)
        #expect(try notification("{\"token\":\"ab\",\"p\":5}", source).drop == nil)
    }

    @Test func `is dropped if an optional key that its push type requires is absent`() throws {
        let source = minimal.with(["payload": ["aps": ["alert": "${text?}"]]])
        #expect(try notification("{\"token\":\"ab\"}", source).drop?.reason == .alertEmpty)
        #expect(try notification("{\"token\":\"ab\",\"text\":\"x\"}", source).drop == nil)
    }
}
