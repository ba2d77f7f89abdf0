import AdminServer
import HTTP2
import Testing

@testable import APNsSimulator

@Suite struct `A channel of the simulator` {
    private static let channels = "/1/apps/com.example.app/channels"
    private static let list = "/1/apps/com.example.app/all-channels"

    private func client(_ scenario: String = "answers: [{device_token: aa}]") throws
        -> ChannelClient
    {
        let stage = try ScenarioStage(scenario)
        return try ChannelClient(stage.service)
    }

    @Test func `can be created, read, listed and deleted`() throws {
        var client = try client()
        let made = try client.ask("POST", Self.channels, body: BroadcastFixture.order)
        #expect(made.status == "201")
        let channel = try #require(made.fields["apns-channel-id"])
        #expect(BroadcastChannel.isIdentifier([UInt8](channel.utf8)))
        #expect(made.fields["apns-request-id"]?.count == 36)
        let read = try client.ask("GET", Self.channels, ["apns-channel-id": channel])
        #expect(read.body == #"{"message-storage-policy":1,"push-type":"LiveActivity"}"#)
        #expect(try client.ask("GET", Self.list).body == #"{"channels":["\#(channel)"]}"#)
        let gone = try client.ask("DELETE", Self.channels, ["apns-channel-id": channel])
        #expect(gone.status == "204" && gone.body.isEmpty)
        #expect(try client.ask("GET", Self.list).body == #"{"channels":[]}"#)
        let again = try client.ask("DELETE", Self.channels, ["apns-channel-id": channel])
        #expect(again.body == #"{"reason":"ChannelNotRegistered"}"#)
    }

    @Test func `counts the broadcasts to it`() throws {
        var client = try client()
        let channel = try client.makeChannel()
        let response = try client.broadcast(to: channel)
        #expect(response.status == "200" && response.body.isEmpty)
        #expect(response.fields["apns-request-id"] == JudgeFixture.identifier)
        #expect(response.fields["apns-id"] == nil)
        #expect(client.service.channels.list().map(\.broadcasts) == [1])
        let requests = client.service.memory?.requests().requests.map(\.app)
        #expect(requests == ["com.example.app", "com.example.app"])
        #expect(client.service.memory?.devices(10, at: 0).count == 0)
    }

    @Test func `is not created if the feature is off`() throws {
        var client = try client("broadcast-disabled")
        let response = try client.ask("POST", Self.channels, body: BroadcastFixture.order)
        #expect(response.body == #"{"reason":"FeatureNotEnabled"}"#)
    }

    @Test func `is visible to the administration, and is removed by a reset`() throws {
        var world = try AdministrationWorld()
        world.channels.noteBroadcast(
            to: world.channels.make(for: "com.example.app", storesLatest: true, at: 0),
            of: "com.example.app", at: JudgeFixture.now)
        let text = world.text("GET", "/channels", ["app": "com.example.app"])
        #expect(text.hasPrefix(#"{"total":1,"channels":[{"app":"com.example.app","channel_id":""#))
        #expect(text.contains(#""message_storage_policy":1,"made_at":"1970-01-01T00:00:00.000Z""#))
        #expect(text.contains(#""broadcasts":1,"last_broadcast_at":"2030-"#))
        #expect(world.text("GET", "/channels", ["app": "x"]) == "{\"total\":0,\"channels\":[]}\n")
        #expect(world.ask("GET", "/channels", ["limit": "x"]).status == 400)
        _ = world.ask("DELETE", "/")
        #expect(world.text("GET", "/channels") == "{\"total\":0,\"channels\":[]}\n")
        _ = try world.push(title: "Still there")
    }

    @Test func `shows its broadcasts on the devices that have subscribed`() throws {
        let world = try AdministrationWorld()
        var client = try ChannelClient(world.service)
        let channel = try client.makeChannel()
        let phone = "/devices/" + DeviceHarness.token
        let order = #"{"subscribe":"\#(channel)"}"#
        #expect(world.text("POST", phone, body: order).contains(#""channels":["\#(channel)"]"#))
        #expect(try client.broadcast(to: channel).status == "200")
        let text = world.text("GET", phone)
        #expect(
            text.contains(
                #""live_activities":[{"app":"com.example.app","channel_id":"\#(channel)","#
                    + #""attributes_type":null,"attributes":null,"content_state":{},"#
                    + #""ended":false"#))
        #expect(text.contains(#""fate":"delivered""#))
        #expect(world.text("GET", "/channels").contains(#""subscribers":1"#))
        _ = try client.ask("DELETE", Self.channels, ["apns-channel-id": channel])
        #expect(world.text("GET", phone).contains(#""channels":[]"#))
    }

    @Test(arguments: [
        (#"{"subscribe":"AAAA"}"#, 409, "unknown broadcast channel"),
        (#"{"subscribe":7}"#, 400, "'subscribe' has a value of the wrong type"),
        (#"{"subscrib":"AAAA"}"#, 400, "unknown member 'subscrib'"),
    ])
    func `gets subscriptions by valid orders only`(
        order: String, status: Int, error: String
    ) throws {
        let world = try AdministrationWorld()
        let response = world.ask("POST", "/devices/" + DeviceHarness.token, body: order)
        #expect(response.status == status)
        #expect(String(decoding: response.body, as: UTF8.self).contains(error))
    }

    @Test func `gets a subscription from the push that starts a Live Activity`() throws {
        var world = try AdministrationWorld()
        var client = try ChannelClient(world.service)
        let channel = try client.makeChannel()
        var request = world.client.request(token: DeviceHarness.token)
        request.topic = [UInt8]("com.example.app.push-type.liveactivity".utf8)
        request.pushType = [UInt8]("liveactivity".utf8)
        request.body = [UInt8](
            #"{"aps":{"event":"start","input-push-channel":"\#(channel)"}}"#.utf8)
        #expect(try world.client.push(request) == ["200"])
        #expect(world.text("GET", "/channels").contains(#""subscribers":1"#))
    }
}

@Suite struct `A scenario for broadcasts` {
    private func client(_ scenario: String) throws -> ChannelClient {
        try ChannelClient(try ScenarioStage(scenario).service)
    }

    @Test func `applies rules for all pushes and rules for broadcasts`() throws {
        for condition in ["device_token: \"\"", "channel: \"\"", "topic: com.example.app"] {
            var client = try client(
                "answers: [{\(condition), status: 503, reason: ServiceUnavailable}]")
            let channel = try client.makeChannel()
            let response = try client.broadcast(to: channel)
            #expect(response.body == #"{"reason":"ServiceUnavailable"}"#)
            #expect(client.service.channels.list().map(\.broadcasts) == [0])
        }
    }

    @Test func `does not apply rules for devices or for other apps and channels`() throws {
        for condition in ["device_token: dead", "topic: com.example.pay", "channel: \"====\""] {
            var client = try client("answers: [{\(condition), status: 500, reason: A}]")
            #expect(try client.broadcast(to: try client.makeChannel()).status == "200")
        }
    }

    @Test func `counts the attempts of each broadcast`() throws {
        var client = try client("answers: [{channel: \"\", first: 2, status: 500, reason: A}]")
        let channel = try client.makeChannel()
        var statuses: [String] = []
        for _ in 0..<3 { statuses.append(try client.broadcast(to: channel).status) }
        #expect(statuses == ["500", "500", "200"])
    }

    @Test func `can leave a broadcast without a response`() throws {
        var client = try client("answers: [{channel: \"\", silence: true}]")
        #expect(try client.broadcast(to: try client.makeChannel()).status == "")
        #expect(client.service.channels.list().map(\.broadcasts) == [0])
    }

    @Test func `rejects broadcasts, unless another fault comes first`() throws {
        var client = try client("faults: [{request: 2, forbid: Forbidden}]")
        let channel = try client.makeChannel()
        #expect(try client.broadcast(to: channel).body == #"{"reason":"Forbidden"}"#)
        let bad = try client.ask("POST", "/4/broadcasts/apps/com.example.app")
        #expect(bad.body == #"{"reason":"MissingChannelId"}"#)
    }

    @Test func `does not apply rules for broadcasts to devices`() throws {
        let stage = try ScenarioStage("answers: [{channel: \"\", status: 500, reason: A}]")
        var client = try stage.client(warm: false)
        #expect(try client.push(client.request()) == ["200"])
    }

    @Test(arguments: [
        (
            "{channel: \"\", device_token: aa}",
            "'device_token' and 'channel' are mutually exclusive; remove one of them"
        ),
        (
            "{channel: \"not base64!\"}",
            "'channel' is not a prefix of a Base64 identifier; write a prefix of the "
                + "channel's identifier, or \"\" for all broadcasts"
        ),
    ])
    func `distinguishes broadcasts by what it can read`(row: String, message: String) {
        let error = #expect(throws: SimulatorError.self) {
            _ = try Scenario.parse([UInt8]("answers:\n  - \(row)\n".utf8), file: "a.yaml")
        }
        #expect(error?.description.hasPrefix("a.yaml:2:") == true)
        #expect(error?.description.contains(message) == true, "\(error?.description ?? "")")
    }
}
