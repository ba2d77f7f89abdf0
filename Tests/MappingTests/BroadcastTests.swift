import Delivery
import Mapping
import Testing

private let block: MappingSource = [
    "broadcast": ["channel": "${channel}"], "priority": 5, "ttl": "1h",
    "live_activity": ["event": "${kind}", "content_state": ["status": "${status?}"]],
]

@Suite struct `A block with broadcast` {
    private func drop(_ json: String, _ source: MappingSource = block) throws -> Drop {
        try #require(try notification(json, source).drop)
    }

    // MARK: Events

    @Test(arguments: [
        (#"{"kind":"end"}"#, DropReason.missingField, "${channel} is absent"),
        (#"{"kind":"end","channel":null}"#, .missingField, "${channel} is absent"),
        (#"{"kind":"end","channel":""}"#, .invalidChannelID, "it must have 1 to 1024 bytes"),
        (#"{"kind":"end","channel":"my channel"}"#, .invalidChannelID, "it is not valid Base64"),
        (#"{"kind":"end","channel":"===="}"#, .invalidChannelID, "it is not valid Base64"),
        (#"{"kind":"end","channel":"YQ\r\n"}"#, .invalidChannelID, "it is not valid Base64"),
        (#"{"kind":"end","channel":["YQ=="]}"#, .wrongType, "${channel}"),
        (#"{"kind":"start","channel":"YQ=="}"#, .payloadRule, "must be update or end"),
    ])
    func `drops an event that cannot be broadcast, and names the field`(
        json: String, reason: DropReason, message: String
    ) throws {
        let drop = try drop(json)
        #expect(drop.reason == reason)
        #expect(drop.detail.contains(message), "\(drop.detail)")
        #expect(drop.detail.contains("orders.yaml:"), "\(drop.detail)")
    }

    @Test func `refuses a channel ID that no header could hold`() throws {
        let channel = String(repeating: "A", count: 100_000)
        #expect(try drop(#"{"kind":"end","channel":"\#(channel)"}"#).reason == .invalidChannelID)
    }

    @Test func `makes one push to the channel, whatever tokens the event has`() throws {
        let json = #"{"kind":"end","channel":"YQ==","device_token":"ab","token":"ab"}"#
        let made = try notification(json, block)
        #expect(made.isBroadcast && made.tokenText == "YQ==" && made.drop == nil)
        #expect(made.pushType == .liveactivity && made.priority == 5)
        #expect(made.expiration == .at(seconds: made.eventTime / 1000 + 3600))
    }

    @Test func `allows 5,120 bytes`() throws {
        let text = String(repeating: "a", count: 5000)
        let made = try notification(
            #"{"kind":"update","channel":"YQ==","status":"\#(text)"}"#, block)
        #expect(made.drop == nil && made.payloadLimit == 5120)
        let long = String(repeating: "a", count: 5100)
        let drop = try drop(#"{"kind":"update","channel":"YQ==","status":"\#(long)"}"#)
        #expect(drop.reason == .payloadTooLarge)
        #expect(drop.detail.contains("a broadcast takes 5120 bytes"), "\(drop.detail)")
    }

    @Test(arguments: [10, 5, 1])
    func `allows each of Apple's priorities`(priority: Int) throws {
        let source = block.with(["priority": "${priority}"])
        let made = try notification(
            #"{"kind":"end","channel":"YQ==","priority":\#(priority)}"#, source)
        #expect(made.drop == nil && Int(made.priority) == priority)
    }

    @Test func `always has an expiration`() throws {
        let made = try notification(
            #"{"kind":"end","channel":"YQ=="}"#, block.without("ttl"))
        #expect(made.expiration == .immediate && made.expiresAt == nil)
    }

    @Test func `takes a whole payload, which it checks like its own`() throws {
        let source = block.without("live_activity").with(["payload": "${push}"])
        let made = try notification(
            #"{"channel":"YQ==","push":{"aps":{"event":"end","timestamp":1767261600}}}"#, source)
        #expect(made.drop == nil)
        let start = try drop(
            #"{"channel":"YQ==","push":{"aps":{"event":"start","timestamp":1767261600,"#
                + #""content-state":{},"attributes-type":"A","attributes":{},"alert":"b"}}}"#,
            source)
        #expect(start.reason == .payloadRule && start.detail.contains("'aps.event'"))
    }

    @Test func `makes one for each element of a list`() throws {
        let source = block.with([
            "for_each": ["items": "${games}", "as": "game"],
            "broadcast": ["channel": "${game.channel}"],
        ])
        let made = try mapped(
            TestRecord(
                json: #"{"kind":"end","games":[{"channel":"YQ=="},{"channel":"Yg=="},"#
                    + #"{"channel":"YQ=="},{"channel":7.5}]}"#), source)
        let found = made.notifications[..<made.count]
        #expect(found.map(\.drop?.reason) == [nil, nil, .duplicate, .invalidChannelID])
        #expect(found.prefix(2).map(\.tokenText) == ["YQ==", "Yg=="])
        #expect(found[2].drop?.detail.contains("this channel appears earlier") == true)
        #expect(found.map(\.index) == [0, 1, 2, 3])
    }

    // MARK: Files

    @Test(arguments: [
        (["device_token": "${token}"], "'device_token' and 'broadcast' are mutually exclusive"),
        (["device_tokens": "${all}"], "'device_tokens' and 'broadcast' are mutually exclusive"),
        (["collapse_id": "a"], "'collapse_id' is not valid with 'broadcast'"),
        (["push_type": "alert"], "'push_type' must be liveactivity with 'broadcast'"),
        (["push_type": "${type}"], "'push_type' must be liveactivity with 'broadcast'"),
        (["priority": 2], "'priority' must be 10, 5 or 1, not '2'"),
        (["broadcast": "YQ=="], "'broadcast' must be a map"),
        (["broadcast": ["chanel": "YQ=="]], "unknown key 'chanel' in broadcast"),
        (["broadcast": ["topic": "YQ=="]], "'channel' is missing in broadcast"),
        (["broadcast": ["channel": "a b"]], "'channel' cannot be 'a b': it is not valid Base64"),
        (["broadcast": ["channel": "${a?}"]], "without a channel there is nothing to send"),
        (
            ["for_each": ["items": "${devices}", "as": "device"]],
            "'channel' is the same for each 'device'"
        ),
        (["live_activity": ["event": "start"]], "a broadcast cannot start a Live Activity"),
        (
            ["live_activity": ["event": "starts"]],
            "'event' of a broadcast must be update or end, not 'starts'"
        ),
        (
            [
                "live_activity": [
                    "event": "${kind}", "content_state": ["a": 1], "attributes_type": "A",
                ]
            ], "'attributes_type' is only valid with event: start"
        ),
    ] as [([String: MappingSource], String)])
    func `has an error for what cannot be broadcast, and says what to write`(
        members: [String: MappingSource], message: String
    ) throws {
        var source = block
        for (name, value) in members {
            source = source.with(KeyValuePairs(dictionaryLiteral: (name, value)))
        }
        let found = problems(source).filter { !$0.isWarning }
        let problem = found.first { $0.message.contains(message) }
        #expect(problem != nil, "\(found)")
        #expect(problem?.remedy?.isEmpty == false)
    }

    @Test func `has one error for an activity that it cannot start`() {
        let source = block.with(["live_activity": ["event": "start", "content_state": ["a": 1]]])
        #expect(problems(source).map(\.message) == ["a broadcast cannot start a Live Activity"])
    }

    @Test(arguments: ["live_activity", "payload"])
    func `has an error that names the events that it may have`(key: String) {
        let members: MappingSource =
            key == "payload"
            ? ["aps": ["timestamp": "${at}", "content-state": ["a": 1]]]
            : ["content_state": ["a": 1]]
        let source = block.without("live_activity").with(
            KeyValuePairs(dictionaryLiteral: (key, members)))
        let remedy = problems(source).first?.remedy ?? ""
        #expect(remedy.contains("update") && !remedy.contains("start"), "\(remedy)")
    }

    @Test func `has an error that names the priorities that it may have`() {
        let found = problems(block.without("priority"))
        #expect(found.map(\.remedy) == ["write priority: 10, 5 or 1"])
    }

    @Test func `has an error for a payload that starts an activity`() {
        let source = block.without("live_activity").with([
            "payload": ["aps": ["event": "start", "timestamp": "${at}"]]
        ])
        let message = "a broadcast cannot start a Live Activity"
        #expect(problems(source).contains { $0.message == message })
    }

    @Test func `has neither error nor warning if it is right`() {
        #expect(problems(block).isEmpty)
    }
}

@Suite struct `A canonical event with channel_id` {
    private let end = #""payload":{"aps":{"event":"end","timestamp":1767261600}}"#

    @Test(arguments: [
        (#""channel_id":"YQ==","device_token":"ab""#, DropReason.invalidDeviceToken),
        (#""channel_id":"YQ==","device_tokens":["ab"]"#, .invalidDeviceToken),
        (#""channel_id":"Y Q""#, .invalidChannelID),
        (#""channel_id":"YQ==","push_type":"alert""#, .invalidPushType),
        (#""channel_id":"YQ==","collapse_id":"a""#, .invalidCollapseID),
        (#""channel_id":"YQ==","priority":3"#, .invalidPriority),
        (#""channel_id":"YQ==","bundle_id":"org.example.other""#, .bundleIDNotAllowed),
        (#""channel_id":null,"push_type":"liveactivity""#, .missingField),
    ])
    func `is dropped if it cannot be broadcast`(members: String, reason: DropReason) throws {
        #expect(try notification("{\(members),\(end)}", nil).drop?.reason == reason)
    }

    @Test func `is a broadcast of a Live Activity`() throws {
        let made = try notification(#"{"channel_id":"YQ==",\#(end)}"#, nil)
        #expect(made.drop == nil && made.isBroadcast && made.tokenText == "YQ==")
        #expect(made.pushType == .liveactivity && made.expiration == .immediate)
    }

    @Test func `without a channel is a push to its device, as before`() throws {
        let made = try notification(
            #"{"channel_id":null,"device_token":"AB","payload":{"aps":{"badge":1}}}"#, nil)
        #expect(made.drop == nil && !made.isBroadcast && made.tokenText == "ab")
    }
}
