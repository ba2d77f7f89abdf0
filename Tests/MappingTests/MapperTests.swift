import Delivery
import Mapping
import Testing

@Suite struct `A mapper` {
    @Test func `takes the times of records where one event is measured many times`() throws {
        let source = minimal.with(["event_time": "${at}", "ttl": "60s"])
        let compiled = MappingPlan.compile(
            notification: source, when: nil, defaults: defaults, hash: sha256)
        let plan = try #require(compiled.plan)
        let record = TestRecord(json: #"{"token":"ab","at":1767000000}"#)
        let now: Int64 = 1_767_261_600_000
        for (plan, time) in [(plan, 1_767_000_000_000), (plan.withRecordTimes, now)] {
            var mapper = Mapper(plan: plan)
            var result = MappedRecord()
            mapper.map(record.makeRecord(), now: now, into: &result)
            #expect(result.notifications[0].eventTime == time)
            #expect(result.notifications[0].expiresAt == time + 60_000)
        }
    }

    @Test func `makes a notification of an order`() throws {
        let source: MappingSource = [
            "device_token": "${customer.device.token}", "push_type": "alert",
            "collapse_id": "order-${order.id}", "expiration": "${expires_at}",
            "payload": [
                "aps": [
                    "alert": ["title": "Order ${order.id} shipped", "body": "Hi ${customer.name}"],
                    "badge": "${customer.unread ?? 0}",
                ], "order_id": "${order.id}",
            ],
        ]
        let made = try notification(
            """
            {"order":{"id":7741},"expires_at":1767276000123,"customer":{"name":"Ana \\"A\\"",
             "device":{"token":"9F86D081"}}}
            """, source)
        #expect(made.drop == nil)
        #expect(made.tokenText == "9f86d081")
        #expect(made.pushType == .alert)
        #expect(made.priority == 10)
        #expect(made.collapseText == "order-7741")
        #expect(made.expiration == .at(seconds: 1_767_276_000))
        #expect(made.expiresAt == 1_767_276_000_000)
        #expect(
            made.body == """
                {"aps":{"alert":{"title":"Order 7741 shipped","body":"Hi Ana \\"A\\""},\
                "badge":0},"order_id":7741}
                """)
    }

    @Test func `maps an event identically, whatever it has mapped before`() throws {
        let source = minimal.with([
            "collapse_id": "${c?}", "payload": ["aps": ["alert": "${alert}", "badge": "${b?}"]],
        ])
        let events = [
            #"{"token":"ab","c":"one","alert":"Hi","b":1}"#, #"{"token":"abcdef01","alert":"H"}"#,
            #"{"token":"ab","c":"","alert":"Hello you"}"#, "no",
            #"{"token":"xyz","c":"two","alert":"H"}"#, #"{"c":"three","alert":"Hi"}"#,
            #"{"token":"ab","c":"four"}"#, #"{"alert":{}}"#,
            #"{"token":"ab","alert":"\#(String(repeating: "x", count: 5000))"}"#,
            #"{"token":"\u0061b","c":"\u006f","alert":"\u0048i"}"#,
        ].map { TestRecord(json: $0) }
        for before in events {
            for event in events {
                let compiled = MappingPlan.compile(
                    notification: source, when: nil, defaults: defaults, hash: sha256)
                var mapper = Mapper(plan: try #require(compiled.plan))
                var result = MappedRecord()
                mapper.map(before.makeRecord(), now: 0, into: &result)
                mapper.map(event.makeRecord(), now: 0, into: &result)
                let made = result.notifications[0]
                let alone = try mapped(event, source, now: 0).notifications[0]
                #expect(result.count == 1)
                #expect(made.drop == alone.drop)
                #expect(made.tokenText == alone.tokenText)
                #expect(made.collapseText == alone.collapseText)
                #expect(made.bundleID == alone.bundleID)
                #expect(made.body == alone.body)
            }
        }
    }

    @Test(
        arguments: [
            (["a": "${x?}", "b": "${y?}"], "{}", "{}"),
            (["a": "${x?}", "b": "${y?}"], "{\"y\":1}", "{\"b\":1}"),
            (["a": "${x?}", "b": "${y?}"], "{\"x\":1,\"y\":2}", "{\"a\":1,\"b\":2}"),
            (["a": "${x?}", "b": 3], "{}", "{\"b\":3}"),
            (["a": "${x?}", "b": 3], "{\"x\":\"[\"}", "{\"a\":\"[\",\"b\":3}"),
            (["a": 3, "b": "${x?}", "c": 4], "{}", "{\"a\":3,\"c\":4}"),
            (["a": ["b": "${x?}"]], "{}", "{\"a\":{}}"),
            (["${x?}", "${y?}", 1], "{\"y\":2}", "[2,1]"),
            (["${x?}", "${y?}"], "{}", "[]"),
            ([[], [:], ["${x?}"]], "{\"x\":{}}", "[[],{},[{}]]"),
        ] as [(MappingSource, String, String)])
    func `omits absent optional keys and elements`(
        _ source: MappingSource, _ event: String, _ result: String
    ) throws {
        let event = event == "{}" ? "{\"q\":0}" : event
        #expect(try written(source, of: event) == ",\"v\":" + result)
    }

    @Test(
        arguments: [
            ("0", .immediate, nil), ("\"0\"", .immediate, nil),
            ("1767276000", .at(seconds: 1_767_276_000), 1_767_276_000_000),
            ("\"1767276000\"", .at(seconds: 1_767_276_000), 1_767_276_000_000),
            ("1767276000999", .at(seconds: 1_767_276_000), 1_767_276_000_000),
            ("2147483647", .at(seconds: 2_147_483_647), 2_147_483_647_000),
            ("4102444799", .at(seconds: 2_147_483_647), 2_147_483_647_000),
            ("1767276000999999", .at(seconds: 1_767_276_000), 1_767_276_000_000),
            ("1767276000999999999", .at(seconds: 1_767_276_000), 1_767_276_000_000),
            ("1767276000.999", .at(seconds: 1_767_276_000), 1_767_276_000_000),
            ("\"2026-01-01\"", .at(seconds: 1_767_225_600), 1_767_225_600_000),
            ("\"2026-01-01T14:00:00Z\"", .at(seconds: 1_767_276_000), 1_767_276_000_000),
            ("\"2026-01-01T15:00:00.999+01:00\"", .at(seconds: 1_767_276_000), 1_767_276_000_000),
            ("\"2024-02-29t23:59:60z\"", .at(seconds: 1_709_251_200), 1_709_251_200_000),
            ("null", .absent, nil),
        ] as [(String, Expiration, Int64?)])
    func `reads expirations`(_ value: String, _ expiration: Expiration, _ end: Int64?) throws {
        let made = try notification(
            "{\"token\":\"ab\",\"v\":\(value)}", minimal.with(["expiration": "${v?}"]))
        #expect(made.drop == nil)
        #expect(made.expiration == expiration)
        #expect(made.expiresAt == end)
    }

    @Test(
        arguments: [
            ("90s", 90), ("30m", 1800), ("4h", 14400), ("7d", 604_800), ("1h30m", 5400), ("60", 60),
        ] as [(String, Int64)])
    func `counts ttl from the event's time`(_ ttl: String, _ seconds: Int64) throws {
        let made = try notification(
            "{\"token\":\"ab\",\"at\":\"2026-01-01T10:00:00.5Z\"}",
            minimal.with(["ttl": MappingSource(stringLiteral: ttl), "event_time": "${at}"]))
        #expect(made.eventTime == 1_767_261_600_500)
        #expect(made.expiration == .at(seconds: 1_767_261_600 + seconds))
        #expect(made.expiresAt == (1_767_261_600 + seconds) * 1000)
    }

    @Test func `sends expiration 0 but drops after the ttl with both given`() throws {
        let made = try notification(
            "{\"token\":\"ab\"}", minimal.with(["ttl": "30m", "expiration": 0]))
        #expect(made.expiration == .immediate)
        #expect(made.expiresAt == 1_767_263_400_000)
    }

    @Test func `sends push-to-talk with the expiration 0`() throws {
        let source = minimal.with(["push_type": "pushtotalk"])
        #expect(try notification("{\"token\":\"ab\"}", source).expiration == .immediate)
    }

    @Test func `uses the current time if neither event nor record has one`() throws {
        let record = TestRecord(json: "{\"token\":\"ab\"}")
        record.timestamp = nil
        #expect(try mapped(record, minimal, now: 5).notifications[0].eventTime == 5)
        record.timestamp = 1_767_200_000_007
        let source = minimal.with(["event_time": "${@timestamp}"])
        #expect(
            try mapped(record, source, now: 5).notifications[0].eventTime == 1_767_200_000_007)
    }

    @Test func `turns numbers into strings where a string is expected`() throws {
        let source = minimal.with([
            "collapse_id": "${n}",
            "payload": ["aps": ["alert": ["title": "${n}"], "thread-id": "${n}"]],
        ])
        let made = try notification(
            "{\"token\":1234,\"n\":1.10}", minimal.with(["device_token": "${token}"]))
        #expect(made.tokenText == "1234")
        let other = try notification("{\"token\":\"ab\",\"n\":1.10}", source)
        #expect(other.collapseText == "1.10")
        #expect(other.body == "{\"aps\":{\"alert\":{\"title\":\"1.10\"},\"thread-id\":\"1.10\"}}")
    }

    @Test func `skips the prefix of a schema registry and a byte order mark`() throws {
        let json = Array("{\"token\":\"ab\"}".utf8)
        #expect(
            try mapped(TestRecord([0, 0, 0, 0, 7] + json), minimal).notifications[0].drop == nil)
        #expect(
            try mapped(TestRecord([0xEF, 0xBB, 0xBF] + json), minimal).notifications[0].drop == nil)
    }

    @Test func `reports the byte of the record even after a registry's prefix`() throws {
        let record = TestRecord([0, 0, 0, 0, 7] + Array("{x".utf8))
        #expect(
            try mapped(record, minimal).notifications[0].drop?.detail.hasSuffix("byte 6") == true)
    }

    @Test func `makes one notification for each device token`() throws {
        let source = minimal.without("device_token").with([
            "device_tokens": "${devices[*].token}", "collapse_id": "c",
        ])
        let result = try mapped(
            TestRecord(
                json: """
                    {"devices":[{"token":"aa"},{},{"token":"BB"},{"token":"Aa"},
                     {"token":"x"},{"token":5}]}
                    """), source)
        let made = result.notifications[0..<result.count]
        #expect(made.map(\.index) == [0, 2, 3, 4, 5])
        #expect(made.map(\.tokenText) == ["aa", "bb", "aa", "", ""])
        #expect(
            made.map(\.drop?.reason) == [
                nil, nil, .duplicate, .invalidDeviceToken, .invalidDeviceToken,
            ])
        #expect(Set(made.map(\.body)).count == 1)
        #expect(made.allSatisfy { $0.collapseText == "c" })
    }

    @Test func `numbers a written list of device tokens as it is written`() throws {
        let source = minimal.without("device_token").with([
            "device_tokens": ["${a?}", "${b}", "${c}"]
        ])
        let result = try mapped(TestRecord(json: "{\"b\":\"bb\"}"), source)
        let made = result.notifications[0..<result.count]
        #expect(made.map(\.index) == [1, 2])
        #expect(made.map(\.drop?.reason) == [nil, .missingField])
    }

    @Test(arguments: ["{\"t\":[null]}", "{}", "{\"t\":null}"])
    func `drops a record without device tokens`(_ event: String) throws {
        let source = minimal.without("device_token").with(["device_tokens": "${t}"])
        let result = try mapped(TestRecord(json: event), source)
        #expect(result.count == 1)
        #expect(result.notifications[0].drop?.reason == .missingField)
    }

    @Test func `drops a record with more device tokens than allowed`() throws {
        let tokens = Array(repeating: "\"ab\"", count: Mapper.tokenLimit + 1).joined(separator: ",")
        let source = minimal.without("device_token").with(["device_tokens": "${t}"])
        let result = try mapped(TestRecord(json: "{\"t\":[\(tokens)]}"), source)
        #expect(result.count == 1)
        #expect(result.notifications[0].drop?.reason == .tooManyDeviceTokens)
    }
}

@Suite struct `A canonical event` {
    @Test func `has the fields of its notification`() throws {
        let made = try notification(
            """
            {"device_token":"AB","bundle_id":"com.example.pay","push_type":"background",
             "priority":5,
             "collapse_id":"c","ttl":"1h","apns_id":"1D490EB6-950B-59B2-95A8-8E0E391D7643",
             "environment":"production","payload":{"aps":{"content-available":1}, "x": 1.0}}
            """, nil)
        #expect(made.drop == nil)
        #expect(made.tokenText == "ab")
        #expect(made.pushType == .background)
        #expect(made.priority == 5)
        #expect(made.ownID?.description == "1d490eb6-950b-59b2-95a8-8e0e391d7643")
        #expect(made.expiration == .at(seconds: 1_767_265_200))
        #expect(made.body == "{\"aps\":{\"content-available\":1},\"x\":1.0}")
    }

    @Test func `may name several device tokens`() throws {
        let result = try mapped(
            TestRecord(
                json: "{\"device_tokens\":[\"aa\",\"bb\"],\"payload\":{\"aps\":{\"badge\":1}}}"),
            nil)
        #expect(result.count == 2)
        #expect(result.notifications[1].tokenText == "bb")
    }

    @Test(
        arguments: [
            (
                "{\"payload\":{\"aps\":{\"badge\":1}}}", "missing_field",
                "connectors/orders.yaml: 'device_token' is absent"
            ),
            (
                "{\"device_token\":\"ab\"}", "missing_field",
                "connectors/orders.yaml: 'payload' is absent"
            ),
            ("{\"device_token\":\"ab\",\"payload\":{}}", "alert_empty", nil),
            (
                #"{"device_token":"ab","environment":"development","payload":{"aps":{"badge":1}}}"#,
                "wrong_environment", nil
            ),
            (
                #"{"device_token":"ab","ttl":5,"expiration":1767276000,"payload":{"aps":{}}}"#,
                "invalid_expiration", nil
            ),
            ("[]", "missing_field", nil), ("1", "missing_field", nil),
            ("null", "missing_field", nil),
        ] as [(String, String, String?)])
    func `is dropped for what it lacks`(_ event: String, _ reason: String, _ detail: String?) throws
    {
        let drop = try notification(event, nil).drop
        #expect(drop?.reason.rawValue == reason)
        if let detail { #expect(drop?.detail == detail) }
    }
}
