import Delivery
import Mapping
import Testing

@Suite struct `A push to Wallet` {
    private func compiled(_ bundleID: String, _ source: MappingSource?) -> MappingPlan? {
        let defaults = MappingDefaults(
            fileName: "connectors/orders.yaml", bundleID: bundleID, environment: "production")
        return MappingPlan.compile(
            notification: source, when: nil, defaults: defaults, hash: sha256
        ).plan
    }

    @Test(arguments: ["pass.com.example.ticket", "order.com.example.shop"])
    func `has an empty payload`(_ bundleID: String) throws {
        let source = minimal.with(["payload": [:]])
        let whole = minimal.with(["payload": "${push}"])
        for source in [source, whole, nil] {
            var mapper = Mapper(plan: try #require(compiled(bundleID, source)))
            var result = MappedRecord()
            let event = #"{"token":"ab","device_token":"ab","push":{},"payload":{}}"#
            mapper.map(TestRecord(json: event).makeRecord(), now: 0, into: &result)
            #expect(result.notifications[0].drop == nil)
            #expect(result.notifications[0].body == "{}")
        }
    }

    @Test func `is none for other apps`() {
        #expect(compiled("com.example.pass", minimal.with(["payload": [:]])) == nil)
    }
}

@Suite struct `Apple's flags and priorities` {
    @Test(arguments: ["0", "1", "0.0", "1.0"])
    func `may be off as well as on`(_ value: String) throws {
        for key in ["mutable-content", "content-available"] {
            let alert: MappingSource = ["alert": "A"]
            let source = minimal.with(["payload": ["aps": alert.with([key: "${v}"])]])
            let made = try notification("{\"token\":\"ab\",\"v\":\(value)}", source)
            #expect(made.body == #"{"aps":{"alert":"A","\#(key)":\#(value.prefix(1))}}"#)
            let whole = try notification(
                #"{"device_token":"ab","payload":{"aps":{"alert":"A","\#(key)":\#(value)}}}"#, nil)
            #expect(whole.drop == nil)
            #expect(whole.body.contains("\"\(key)\":\(value.prefix(1))"))
        }
    }

    @Test func `are not any other number, and wake an app only with 1`() throws {
        let source = minimal.with(["payload": ["aps": ["alert": "A", "mutable-content": "${v}"]]])
        #expect(try notification(#"{"token":"ab","v":2}"#, source).drop?.reason == .wrongType)
        let silent = try notification(
            #"{"device_token":"ab","push_type":"background","#
                + #""payload":{"aps":{"content-available":0}}}"#, nil)
        #expect(silent.drop?.reason == .payloadRule)
    }

    @Test(arguments: PushType.allCases)
    func `include 1 for all types but two`(_ type: PushType) {
        let takesOne = type != .background && type != .liveactivity
        #expect(type.allowedPriorities.contains(1) == takesOne)
        #expect(type.allowedPriorities.contains(5))
        #expect(type.allowedPriorities.contains(10) == (type != .background))
    }

    @Test func `may come with the purpose of a Push to Talk`() {
        let source = minimal.with([
            "push_type": "pushtotalk", "priority": 5,
            "payload": ["aps": ["ptt-push-type": "service-update"]],
        ])
        #expect(problems(source) == [])
    }
}

@Suite struct `A Push to Talk push` {
    private func made(
        _ aps: String, _ fields: KeyValuePairs<String, MappingSource> = [:]
    ) throws -> Notification {
        let source = minimal.with(["push_type": "pushtotalk", "payload": "${push}"]).with(fields)
        let event = #"{"token":"ab","time":1767265200,"push":{"aps":\#(aps)}}"#
        let made = try notification(event, source)
        #expect(made.drop == nil)
        return made
    }

    private static let update = #"{"ptt-push-type":"service-update"}"#

    @Test(arguments: [
        "{}", "null", #"{"ptt-push-type":"audio"}"#, #"{"ptt-push-type":null}"#,
        #"{"PTT-push-type":"service-update"}"#,
    ])
    func `is about audio unless it says otherwise: urgent, and never stored`(aps: String) throws {
        let made = try made(aps)
        #expect(made.priority == 10 && made.expiration == .immediate)
    }

    @Test func `that updates the service has priority 5, and is stored`() throws {
        let made = try made(Self.update)
        #expect(made.priority == 5 && made.isPriorityDefault)
        #expect(made.expiration == .absent && made.expiresAt == nil)
    }

    @Test func `that updates the service expires as it says`() throws {
        let end = Expiration.at(seconds: 1_767_265_200)
        #expect(try made(Self.update, ["expiration": "${time}"]).expiration == end)
        #expect(try made(Self.update, ["expiration": 0]).expiration == .immediate)
        let spanned = try made(Self.update, ["event_time": "${time}", "ttl": "1h"])
        #expect(spanned.expiration == .at(seconds: 1_767_268_800))
        #expect(spanned.expiresAt == 1_767_268_800_000)
    }

    @Test(arguments: [10, 5, 1]) func `has the priority that is written`(priority: Int) throws {
        for aps in [Self.update, "{}"] {
            let made = try made(aps, ["priority": .plain("\(priority)")])
            #expect(Int(made.priority) == priority)
        }
    }

    @Test func `may be one of many, each with defaults of its own`() throws {
        let source = minimal.with([
            "for_each": ["items": "${all}", "as": "each"], "device_token": "${each.token}",
            "push_type": "pushtotalk", "payload": "${each.push}",
        ])
        let first = #"{"token":"ab","push":{"aps":\#(Self.update)}}"#
        let record = TestRecord(json: #"{"all":[\#(first),{"token":"cd","push":{}}]}"#)
        let result = try mapped(record, source)
        #expect(result.notifications[..<result.count].map(\.priority) == [5, 10])
        #expect(
            result.notifications[..<result.count].map(\.expiration) == [.absent, .immediate])
    }
}
