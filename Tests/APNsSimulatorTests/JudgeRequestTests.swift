import Testing

@testable import APNsSimulator

@Suite struct `The judge of requests` {
    let fixture: JudgeFixture

    init() throws { fixture = try JudgeFixture() }

    @Test(arguments: ["GET", "PUT", "DELETE", "post", ""])
    func `rejects other methods than POST`(method: String) throws {
        #expect(try fixture.response([":method": method]) == "405 MethodNotAllowed")
    }

    @Test(arguments: ["", "/", "/2/device/aa", "/3/devices/aa", "/3/device/aa/bb", "/3/devic"])
    func `rejects other paths than that of a device`(path: String) throws {
        #expect(try fixture.response([":path": path]) == "404 BadPath")
    }

    @Test(arguments: ["authorization", "apns-id", "apns-topic", "apns-priority", ":path"])
    func `rejects repeated fields`(name: String) throws {
        var request = try fixture.request()
        request.set([UInt8](name.utf8), to: [UInt8]("again".utf8))
        if name == ":path" {
            request.set([UInt8](name.utf8), to: [UInt8]("/3/device/aa".utf8))
        }
        var judge = fixture.judge()
        #expect(
            judge.judge(request, wallClock: JudgeFixture.now).message == "400 DuplicateHeaders")
    }

    @Test func `accepts repeated fields that Apple does not know`() throws {
        var request = try fixture.request(["user-agent": "one"])
        request.set([UInt8]("user-agent".utf8), to: [UInt8]("two".utf8))
        var judge = fixture.judge()
        #expect(judge.judge(request, wallClock: JudgeFixture.now) == .accepted)
    }

    @Test func `requires a topic`() throws {
        #expect(try fixture.response(["apns-topic": nil]) == "400 MissingTopic")
        #expect(try fixture.response(["apns-topic": ""]) == "400 MissingTopic")
    }

    @Test func `requires the topic to be an identifier`() throws {
        #expect(try fixture.response(["apns-topic": "com example"]) == "400 BadTopic")
        #expect(try fixture.response(["apns-topic": "<com.example>"]) == "400 BadTopic")
    }

    @Test func `lets a key push only to its own apps`() throws {
        let bearer = try fixture.bearer(of: fixture.limited)
        let foreign = ["authorization": bearer, "apns-topic": "com.example.app"]
        let own = ["authorization": bearer, "apns-topic": "com.example.shop"]
        let suffixed = [
            "authorization": bearer, "apns-topic": "com.example.shop.voip",
            "apns-push-type": "voip",
        ]
        #expect(try fixture.response(foreign) == "400 TopicDisallowed")
        #expect(try fixture.response(own) == "200")
        #expect(try fixture.response(suffixed) == "200")
    }

    @Test(arguments: ["Alert", "silent", "", "alert "])
    func `requires a push type that Apple documents`(type: String) throws {
        #expect(try fixture.response(["apns-push-type": type]) == "400 InvalidPushType")
    }

    @Test func `requires the topic of the push type`() throws {
        for (type, topic) in [
            ("voip", "com.example.app"), ("alert", "com.example.app.voip"),
            ("liveactivity", "com.example.app.voip"), ("voip", ".voip"),
        ] {
            let response = try fixture.response(["apns-push-type": type, "apns-topic": topic])
            #expect(response == "400 InvalidPushType")
        }
    }

    @Test(arguments: [
        "", "1", "123e4567e89b12d3a45642665544000a", "zzze4567-e89b-12d3-a456-42665544000a",
        "123e4567-e89b-12d3-a456-42665544000", "123e4567-e89b-12d3-a456x42665544000a",
    ])
    func `requires an apns-id to be a UUID`(identifier: String) throws {
        #expect(try fixture.response(["apns-id": identifier]) == "400 BadMessageId")
    }

    @Test(arguments: ["", "soon", "1.5", "-1", "9999999999999999999"])
    func `requires an expiration in whole seconds`(expiration: String) throws {
        #expect(try fixture.response(["apns-expiration": expiration]) == "400 BadExpirationDate")
    }

    @Test(arguments: ["", "0", "7", "high", "010", "100"])
    func `requires a priority that Apple documents`(priority: String) throws {
        #expect(try fixture.response(["apns-priority": priority]) == "400 BadPriority")
    }

    @Test func `requires priority 5 for background pushes`() throws {
        let type = "apns-push-type"
        let priority = "apns-priority"
        #expect(try fixture.response([type: "background", priority: "10"]) == "400 BadPriority")
        #expect(try fixture.response([type: "background", priority: "5"]) == "200")
        // The default is 10.
        #expect(try fixture.response([type: "background", priority: nil]) == "400 BadPriority")
    }

    @Test(arguments: [("10", "400 BadPriority"), (nil, "400 BadPriority"), ("5", "200")])
    func `requires priority 5 to wake an app even without a push type`(
        priority: String?, response: String
    ) throws {
        let changes = ["apns-push-type": nil, "apns-priority": priority]
        let silent = #"{"aps":{"content-available":1},"id":7}"#
        #expect(try fixture.response(changes, body: silent) == response)
        let shown = #"{"aps":{"content-available":1,"badge":3}}"#
        #expect(try fixture.response(changes, body: shown) == "200")
    }

    @Test func `requires a collapse identifier of at most 64 bytes`() throws {
        let maximum = String(repeating: "x", count: 64)
        #expect(try fixture.response(["apns-collapse-id": maximum]) == "200")
        #expect(try fixture.response(["apns-collapse-id": maximum + "x"]) == "400 BadCollapseId")
    }

    @Test func `requires a device token`() throws {
        #expect(try fixture.response([":path": "/3/device/"]) == "400 MissingDeviceToken")
        #expect(try fixture.response([":path": "/3/device"]) == "400 MissingDeviceToken")
    }

    @Test func `requires a device token of 64 or more hexadecimal digits`() throws {
        let token = JudgeFixture.token
        for bad in ["aa", "xyz", String(token.dropLast(2)), token + "0", token.dropLast(1) + "g"] {
            #expect(try fixture.response([":path": "/3/device/" + bad]) == "400 BadDeviceToken")
        }
        for good in [token, token.uppercased(), token + token] {
            #expect(try fixture.response([":path": "/3/device/" + good]) == "200")
        }
    }

    @Test func `requires a payload`() throws {
        #expect(try fixture.response(body: "") == "400 PayloadEmpty")
    }

    @Test(arguments: ["[]", "\"text\"", "{", "{\"aps\":}", "{}x", "{'aps':1}", "\u{1}"])
    func `requires the payload to be a JSON object`(body: String) throws {
        #expect(try fixture.response(body: body) == "400 PayloadEmpty")
    }

    @Test func `accepts 4096 bytes of payload and no more`() throws {
        #expect(try fixture.response(body: payload(of: 4096)) == "200")
        #expect(try fixture.response(body: payload(of: 4097)) == "413 PayloadTooLarge")
    }

    @Test func `accepts 5120 bytes of payload for voip and no more`() throws {
        let voip = ["apns-push-type": "voip", "apns-topic": "com.example.app.voip"]
        #expect(try fixture.response(voip, body: payload(of: 5120)) == "200")
        #expect(try fixture.response(voip, body: payload(of: 5121)) == "413 PayloadTooLarge")
    }

    @Test func `accepts 5120 bytes for a voip topic without a push type`() throws {
        let voip = ["apns-push-type": nil, "apns-topic": "com.example.app.voip"]
        #expect(try fixture.response(voip, body: payload(of: 5120)) == "200")
        #expect(try fixture.response(voip, body: payload(of: 5121)) == "413 PayloadTooLarge")
    }

    @Test func `rejects a payload that was too long to keep`() throws {
        var request = try fixture.request()
        request.bodyWasTooLong = true
        var judge = fixture.judge()
        #expect(judge.judge(request, wallClock: JudgeFixture.now).message == "413 PayloadTooLarge")
    }

    @Test func `names the first fault in Apple's order`() throws {
        var faults: [(name: String, value: String?, response: String)] = [
            ("apns-collapse-id", String(repeating: "x", count: 65), "400 BadCollapseId"),
            ("apns-priority", "3", "400 BadPriority"),
            ("apns-expiration", "x", "400 BadExpirationDate"),
            ("apns-id", "x", "400 BadMessageId"),
            ("apns-push-type", "x", "400 InvalidPushType"),
            ("apns-topic", nil, "400 MissingTopic"),
            ("authorization", nil, "403 MissingProviderToken"),
            (":path", "/", "404 BadPath"),
            (":method", "GET", "405 MethodNotAllowed"),
        ]
        var changes: [String: String?] = [":path": "/3/device/bad"]
        faults.insert((":path", "/3/device/bad", "400 BadDeviceToken"), at: 0)
        for fault in faults {
            changes.updateValue(fault.value, forKey: fault.name)
            #expect(try fixture.response(changes, body: "") == fault.response)
        }
    }

    @Test func `accepts requests without optional fields`() throws {
        let absent: [String: String?] = [
            "apns-id": nil, "apns-push-type": nil, "apns-priority": nil, "apns-expiration": nil,
            "apns-collapse-id": nil,
        ]
        #expect(try fixture.response(absent, body: "{}") == "200")
        #expect(try fixture.response() == "200")
    }

    @Test func `has a reason and a source for every row`() {
        for rule in Judge.rules {
            #expect(!rule.fault.isEmpty && !rule.reason.isEmpty && rule.status >= 400)
        }
    }

    private func payload(of count: Int) -> String {
        #"{"a":""# + String(repeating: "x", count: count - 8) + #""}"#
    }
}
