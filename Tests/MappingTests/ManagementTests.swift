import Delivery
import Mapping
import Testing

@Suite struct `A push to a managed device` {
    private static let topic = "com.apple.mgmt.External.6d646d00-0000-4000-8000-000000000001"

    private static let block: MappingSource = [
        "device_token": "${token}", "push_type": "mdm", "payload": ["mdm": "${magic}"],
    ]

    private static func compile(
        _ source: MappingSource?, bundleID: String = topic, apps: [MappingApp] = []
    ) -> (plan: MappingPlan?, problems: [MappingProblem]) {
        var defaults = MappingDefaults(
            fileName: "connectors/mdm.yaml", bundleID: bundleID, environment: "production")
        if !apps.isEmpty { defaults = MappingDefaults(fileName: "m.yaml", apps: apps, app: nil) }
        defaults.allowedBundleIDs = ["com.apple.*", "com.example.*"]
        return MappingPlan.compile(
            notification: source, when: nil, defaults: defaults, hash: sha256)
    }

    private static func made(
        _ event: String, _ source: MappingSource?, bundleID: String = topic
    ) throws -> Notification {
        var mapper = Mapper(plan: try #require(compile(source, bundleID: bundleID).plan))
        var result = MappedRecord()
        mapper.map(TestRecord(json: event).makeRecord(), now: 0, into: &result)
        return result.notifications[0]
    }

    private static func faults(_ source: MappingSource, bundleID: String = topic) -> [String] {
        compile(source, bundleID: bundleID).problems.map {
            "\($0.message) | \($0.remedy ?? "")"
        }
    }

    @Test(arguments: [
        #""payload":{}"#, #""payload":{"mdm":""}"#, #""payload":{"mdm":5}"#,
        #""payload":{"mdm":null}"#, #""payload":{"mdm":"M","aps":{}}"#,
    ])
    func `is dropped without a PushMagic, and with aps`(payload: String) throws {
        let event = #"{"device_token":"ab","push_type":"mdm",\#(payload)}"#
        #expect(try Self.made(event, nil).drop?.reason == .payloadRule)
    }

    @Test func `names the transform for a device token in Base64`() throws {
        let token = "/" + String(repeating: "A", count: 42) + "="
        let event = #"{"token":"\#(token)","magic":"M"}"#
        let drop = try #require(try Self.made(event, Self.block).drop)
        #expect(drop.reason == .invalidDeviceToken && drop.detail.contains("append '| hex'"))
        let right = Self.block.with(["device_token": "${token | hex}"])
        #expect(try Self.made(event, right).drop == nil)
    }

    @Test(arguments: [
        ("mdm", "com.example.shop"), ("alert", Self.topic), ("background", Self.topic),
        ("liveactivity", Self.topic), ("mdm", "com.apple.mgmt"), ("mdm", "com.apple.mgmt."),
    ])
    func `goes to a device management server's topic, and nothing else does`(
        type: String, bundleID: String
    ) throws {
        let drop = try Self.made(
            #"""
            {"device_token":"ab","push_type":"\#(type)","bundle_id":"\#(bundleID)",
            "payload":{"mdm":"M"}}
            """#, nil
        ).drop
        #expect(drop?.reason == .invalidPushType)
        #expect(drop?.detail.contains("device management server, com.apple.mgmt.…") == true)
    }

    @Test func `has no priority unless one is written, and no suffix`() throws {
        let event = #"{"token":"ab","magic":"8A4F"}"#
        let made = try Self.made(event, Self.block)
        #expect(made.drop == nil && made.body == #"{"mdm":"8A4F"}"#)
        #expect(made.priority == 0 && made.isPriorityDefault && made.expiration == .absent)
        #expect(made.bundleID == Array(Self.topic.utf8) && made.pushType.topicSuffix.isEmpty)
        #expect(try Self.made(event, Self.block.with(["priority": 5])).priority == 5)
    }

    @Test func `may be a canonical event`() throws {
        let made = try Self.made(
            #"{"device_token":"ab","push_type":"mdm","payload":{"mdm":"8A4F"}}"#, nil)
        #expect(made.drop == nil && made.pushType == .mdm)
    }

    @Test func `cannot have aps in the file`() {
        let source = Self.block.with(["payload": ["mdm": "${magic}", "aps": ["badge": 1]]])
        #expect(Self.faults(source) == ["an mdm push cannot contain aps | remove aps"])
    }

    @Test(arguments: [["mgmt": "${magic}"], ["mdm": ""]] as [MappingSource])
    func `needs its PushMagic in the file`(payload: MappingSource) {
        #expect(
            Self.faults(Self.block.with(["payload": payload])) == [
                "an mdm push needs mdm, the PushMagic that the device has sent"
                    + " | write payload: {mdm: \"${push_magic}\"}"
            ])
    }

    @Test(arguments: ["alert", "background", "liveactivity"])
    func `is the only one that a device management server sends`(type: String) {
        let source = Self.block.with(["push_type": .text(type), "priority": 5])
        #expect(
            Self.faults(source) == [
                "'push_type' must be mdm: '\(Self.topic)' is a device management server"
                    + " | write push_type: mdm and payload: {mdm: \"${push_magic}\"}"
            ])
        #expect(Self.faults(Self.block.without("push_type")).count == 1)
    }

    @Test func `is none for an app, in a list of apps as well`() {
        let shop = MappingApp(
            name: "shop", bundleID: "com.example.shop", environment: "production")
        let server = MappingApp(name: "mdm", bundleID: Self.topic, environment: "production")
        let named = Self.block.with(["bundle_id": "com.example.shop"])
        #expect(Self.faults(named).count == 1)
        #expect(Self.faults(named.with(["bundle_id": .text(Self.topic)])) == [])
        #expect(Self.compile(Self.block, apps: [shop]).plan == nil)
        let both = Self.block.with(["bundle_id": "${app}"])
        #expect(Self.compile(both, apps: [shop, server]).problems == [])
    }
}
