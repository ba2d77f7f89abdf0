import Testing

@testable import APNsSimulator

/// A judge, and requests about broadcasts of an app that has a channel of each kind.
struct BroadcastFixture {
    static let app = "com.example.app"
    static let payload = #"{"aps":{"event":"update","timestamp":1,"content-state":{}}}"#
    static let order = #"{"message-storage-policy":1,"push-type":"LiveActivity"}"#

    let fixture: JudgeFixture
    let channels = Channels()
    /// A channel without storage.
    let channel: String
    /// A channel that keeps the latest push.
    let storing: String

    init() throws {
        fixture = try JudgeFixture()
        channel = String(
            decoding: channels.make(for: Self.app, storesLatest: false, at: 0), as: UTF8.self)
        storing = String(
            decoding: channels.make(for: Self.app, storesLatest: true, at: 0), as: UTF8.self)
    }

    func judge() -> Judge { Judge(keys: fixture.keys, channels: channels) }

    /// A valid broadcast with some fields changed, or removed if the value is nil.
    func broadcast(
        _ changes: [String: String?] = [:], body: String = payload
    ) throws -> PushRequest {
        try request(
            [
                ":method": "POST", ":path": "/4/broadcasts/apps/" + Self.app,
                "authorization": try fixture.bearer(), "apns-channel-id": channel,
                "apns-push-type": "liveactivity", "apns-priority": "10", "apns-expiration": "0",
                "apns-request-id": JudgeFixture.identifier,
            ], changes, body)
    }

    /// A valid request about channels with some fields changed.
    func manage(
        _ method: String, _ changes: [String: String?] = [:], body: String = order,
        path: String = "/1/apps/com.example.app/channels"
    ) throws -> PushRequest {
        var fields = [
            ":method": method, ":path": path, "authorization": try fixture.bearer(),
        ]
        if method != "POST" { fields["apns-channel-id"] = channel }
        return try request(fields, changes, body)
    }

    private func request(
        _ good: [String: String], _ changes: [String: String?], _ body: String
    ) throws -> PushRequest {
        var fields = good
        for (name, value) in changes { fields[name] = value }
        var request = PushRequest()
        for (name, value) in fields { request.set([UInt8](name.utf8), to: [UInt8](value.utf8)) }
        request.body = [UInt8](body.utf8)
        return request
    }

    func response(_ request: PushRequest, mayBroadcast: Bool = true) -> String {
        var judge = judge()
        judge.mayBroadcast = mayBroadcast
        return judge.judge(request, wallClock: JudgeFixture.now).message
    }
}

@Suite struct `The judge of broadcasts` {
    let fixture: BroadcastFixture

    init() throws { fixture = try BroadcastFixture() }

    private func response(
        _ changes: [String: String?] = [:], body: String = BroadcastFixture.payload
    ) throws -> String {
        fixture.response(try fixture.broadcast(changes, body: body))
    }

    @Test func `accepts a valid broadcast`() throws {
        #expect(try response() == "200")
        #expect(try response(["apns-request-id": nil]) == "200")
    }

    @Test(
        arguments: [
            (":method", "GET", "405 MethodNotAllowed"),
            (":path", "/4/broadcasts/apps/", "404 BadPath"),
            (":path", "/4/broadcasts/apps/com.example.app/x", "404 BadPath"),
            (":path", "/4/broadcasts/apps/com.example.other", "400 ChannelNotRegistered"),
            (
                ":path", "/4/broadcasts/apps/com.example.app.push-type.liveactivity",
                "400 TopicDisallowed"
            ),
            (":path", "/4/broadcasts/apps/com.example.app.voip", "400 TopicDisallowed"),
            ("authorization", nil, "403 MissingProviderToken"),
            ("apns-channel-id", nil, "400 MissingChannelId"),
            ("apns-channel-id", "not base64!", "400 BadChannelId"),
            ("apns-channel-id", "abc", "400 BadChannelId"),
            ("apns-channel-id", "dHN0LXNyY2gtY2hubA==", "400 ChannelNotRegistered"),
            ("apns-push-type", nil, "400 MissingPushType"),
            ("apns-push-type", "alert", "400 InvalidPushType"),
            ("apns-request-id", "1", "400 BadMessageId"),
            ("apns-expiration", nil, "400 BadExpirationDate"),
            ("apns-expiration", "soon", "400 BadExpirationDate"),
            ("apns-expiration", "1900000000", "400 BadExpirationDate"),
            ("apns-priority", nil, "400 BadPriority"),
            ("apns-priority", "7", "400 BadPriority"),
        ] as [(String, String?, String)])
    func `rejects invalid fields`(name: String, value: String?, message: String) throws {
        var changes: [String: String?] = [:]
        changes.updateValue(value, forKey: name)
        #expect(try response(changes) == message)
    }

    @Test func `accepts an expiration if the channel stores the latest push`() throws {
        let changes = ["apns-channel-id": fixture.storing, "apns-expiration": "1900000000"]
        #expect(try response(changes) == "200")
    }

    @Test func `accepts 5120 bytes of payload and no more`() throws {
        let payload = #"{"a":""# + String(repeating: "x", count: 5112) + #""}"#
        #expect(try response(body: payload) == "200")
        #expect(try response(body: payload + " ") == "413 PayloadTooLarge")
        #expect(try response(body: "") == "400 PayloadEmpty")
        #expect(try response(body: "[]") == "400 BadRequestPayload")
    }

    @Test func `rejects the start of a Live Activity`() throws {
        #expect(try response(body: #"{"aps":{"event":"start"}}"#) == "400 BadRequestPayload")
        #expect(try response(body: #"{"aps":{"event":"end"}}"#) == "200")
    }

    @Test func `knows which apps a key is for`() throws {
        let bearer = try fixture.fixture.bearer(of: fixture.fixture.limited)
        #expect(try response(["authorization": bearer]) == "403 TopicMismatch")
    }

    @Test func `rejects broadcasts if the feature is off`() throws {
        let request = try fixture.broadcast()
        #expect(fixture.response(request, mayBroadcast: false) == "400 FeatureNotEnabled")
    }

    @Test func `rejects repeated fields`() throws {
        var request = try fixture.broadcast()
        request.set([UInt8]("apns-channel-id".utf8), to: [UInt8](fixture.channel.utf8))
        #expect(fixture.response(request) == "400 DuplicateHeaders")
    }
}

@Suite struct `The judge of channels` {
    let fixture: BroadcastFixture

    init() throws { fixture = try BroadcastFixture() }

    private static let list = "/1/apps/com.example.app/all-channels"

    @Test(arguments: ["POST", "GET", "DELETE"])
    func `accepts valid requests`(method: String) throws {
        #expect(fixture.response(try fixture.manage(method)) == "200")
        #expect(fixture.response(try fixture.manage("GET", path: Self.list)) == "200")
    }

    @Test func `rejects other methods`() throws {
        #expect(fixture.response(try fixture.manage("PUT")) == "405 MethodNotAllowed")
        for method in ["POST", "DELETE"] {
            let request = try fixture.manage(method, path: Self.list)
            #expect(fixture.response(request) == "405 MethodNotAllowed")
        }
    }

    @Test(arguments: ["/1/apps/com.example.app/channel", "/1/apps//channels", "/1/apps/x"])
    func `rejects other paths`(path: String) throws {
        #expect(fixture.response(try fixture.manage("POST", path: path)) == "404 BadPath")
    }

    @Test(arguments: ["GET", "DELETE"])
    func `requires a channel that exists`(method: String) throws {
        for (value, message) in [
            (nil, "400 MissingChannelId"), ("?", "400 BadChannelId"),
            ("dHN0LXNyY2gtY2hubA==", "400 ChannelNotRegistered"),
        ] as [(String?, String)] {
            var changes: [String: String?] = [:]
            changes.updateValue(value, forKey: "apns-channel-id")
            #expect(fixture.response(try fixture.manage(method, changes)) == message)
        }
    }

    @Test(arguments: [
        ("", "400 BadRequestPayload"), ("[1]", "400 BadRequestPayload"),
        (#"{"message-storage-policy":1}"#, "400 MissingPushType"),
        (#"{"message-storage-policy":1,"push-type":"alert"}"#, "400 InvalidPushType"),
        (#"{"push-type":"LiveActivity"}"#, "400 BadRequestParams"),
        (#"{"message-storage-policy":2,"push-type":"LiveActivity"}"#, "400 BadRequestParams"),
        (#"{"message-storage-policy":"1","push-type":"LiveActivity"}"#, "400 BadRequestParams"),
        (
            #"{"message-storage-policy":1,"push-type":"LiveActivity","name":"goals"}"#,
            "400 BadRequestParams"
        ),
        (
            #"{"message-storage-policy":1,"push-type":"LiveActivity","":null}"#,
            "400 BadRequestParams"
        ),
    ])
    func `requires an order that can be carried out`(body: String, message: String) throws {
        #expect(fixture.response(try fixture.manage("POST", body: body)) == message)
    }

    @Test(arguments: ["POST", "GET", "DELETE"])
    func `rejects the topic of a push type in place of a bundle identifier`(
        method: String
    ) throws {
        let path = "/1/apps/com.example.app.push-type.liveactivity/channels"
        #expect(fixture.response(try fixture.manage(method, path: path)) == "400 TopicDisallowed")
    }

    @Test func `allows an app at most 10,000 channels`() throws {
        for _ in 2..<Channels.limitPerApp {
            _ = fixture.channels.make(for: BroadcastFixture.app, storesLatest: false, at: 0)
        }
        let message = fixture.response(try fixture.manage("POST"))
        #expect(message == "400 CannotCreateChannelConfig")
        let other = try fixture.manage("POST", path: "/1/apps/com.example.pay/channels")
        #expect(fixture.response(other) == "200")
        fixture.channels.remove([UInt8](fixture.channel.utf8), of: BroadcastFixture.app)
        #expect(fixture.response(try fixture.manage("POST")) == "200")
    }

    @Test func `keeps a bounded number of channels of all apps`() {
        let channels = Channels()
        for number in 0..<Channels.limit {
            _ = channels.make(for: "app\(number % 7)", storesLatest: false, at: 0)
        }
        #expect(!channels.hasRoom(for: "another"))
    }

    @Test func `knows which apps a key is for, and whether the feature is off`() throws {
        let bearer = try fixture.fixture.bearer(of: fixture.fixture.limited)
        let request = try fixture.manage("POST", ["authorization": bearer])
        #expect(fixture.response(request) == "403 TopicMismatch")
        let off = fixture.response(try fixture.manage("GET"), mayBroadcast: false)
        #expect(off == "400 FeatureNotEnabled")
    }
}
