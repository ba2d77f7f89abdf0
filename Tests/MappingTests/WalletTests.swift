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
