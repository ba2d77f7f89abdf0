import Delivery
import Mapping
import Testing

@Suite struct `A notification block` {
    @Test(arguments: [
        (
            "push_typ", "alert", "unknown key 'push_typ' in notification",
            "did you mean 'push_type'?"
        ),
        ("push_type", "alart", "'push_type' cannot be 'alart'", "did you mean 'alert'?"),
        (
            "push_type", "mdm",
            "'push_type' cannot be 'mdm': 'com.example.shop' is not a device management server",
            "write certificate: mdm.p12 in 'apns', the server's push certificate, in place of key,"
                + " key_id, team_id and bundle_id"
        ),
        ("priority", "7", "'priority' must be 10, 5 or 1, not '7'", nil),
        ("collapse_id", "é", "'collapse_id' must be printable ASCII, not 'é'", nil),
        ("ttl", "0s", nil, nil), ("ttl", "1m2h", nil, nil), ("ttl", "soon", nil, nil),
        ("expiration", "tomorrow", nil, nil), ("expiration", "2026-01-01T10:00:00", nil, nil),
        ("bundle_id", "com example", nil, nil), ("apns_id", "17", nil, nil),
        ("device_token", "abc", nil, nil), ("device_token", "<ab cd>", nil, nil),
        ("collapse_id", "", "'collapse_id' has no value", nil),
        ("payload", "text", "expected an object, not 'text'", nil),
    ])
    func `is rejected for`(_ key: String, _ text: String, _ message: String?, _ remedy: String?) {
        let found = problems(minimal.with([key: MappingSource(stringLiteral: text)]))
        #expect(found.count == 1)
        #expect(found.first?.isWarning == false)
        if let message { #expect(found.first?.message == message) }
        if let remedy { #expect(found.first?.remedy == remedy) }
    }

    @Test func `has a warning for a bundle identifier that ends in a suffix of a push type`() {
        let found = problems(minimal.with(["bundle_id": "com.example.shop.voip"]))
        #expect(found.map(\.isWarning) == [true])
        #expect(
            found.first?.message
                == "'bundle_id' ends in '.voip', which push_type: voip appends once more")
        #expect(
            found.first?.remedy
                == "write bundle_id: com.example.shop, unless the app's own identifier is this one")
    }

    @Test func `is rejected without a device token, with two kinds of them, or without a payload`()
    {
        #expect(
            problems(minimal.without("device_token")).first?.message == "'device_token' is missing")
        #expect(problems(minimal.without("payload")).first?.message == "'payload' is missing")
        #expect(
            problems(minimal.with(["device_tokens": "${t}"])).first?.message
                == "'device_token' and 'device_tokens' are mutually exclusive")
    }

    @Test func `is rejected with a ttl along with an expiration other than 0`() {
        #expect(problems(minimal.with(["ttl": "4h", "expiration": "${x}"])).count == 1)
        #expect(problems(minimal.with(["ttl": "4h", "expiration": 0])).isEmpty)
    }

    @Test func `is reported with every mistake in the order of the file`() {
        let found = problems(minimal.with(["priority": 3, "push_typ": "x", "ttl": "never"]))
        #expect(found.count == 3)
        #expect(found.map(\.location.line) == found.map(\.location.line).sorted())
    }

    @Test func `is rejected for formats that cannot be read`() {
        #expect(problems(minimal, format: "json").isEmpty)
        #expect(
            problems(minimal, format: "cloudevents").first?.message
                == nil)
        #expect(problems(minimal, format: "avro").isEmpty)
        #expect(problems(minimal, format: "protobuf").isEmpty)
        #expect(problems(minimal, format: "xml").first?.message == "unknown format 'xml'")
    }

    @Test(
        arguments: [
            ["sound": true], ["badge": -1], ["badge": "5"], ["badge": .plain("1.5")],
            ["content-available": true], ["mutable-content": 2], ["interruption-level": "loud"],
            ["relevance-score": 2], ["timestamp": .plain("1767261600000")], ["alart": "x"],
            ["alert": ["titel": "x"]], ["sound": ["volume": 2]], ["badge": "a ${b}"],
            ["badge": ["a": 1]], ["alert": ["loc-args": "x"]], ["title": "x"],
            ["data": ["a": "b"]], ["content-changed": .plain("yes")],
        ] as [MappingSource])
    func `is rejected if aps has what Apple does not document`(_ change: MappingSource) {
        guard case .map(let members, _) = change else { return }
        var aps: MappingSource = ["alert": "Hi"]
        aps = aps.with([members[0].key: members[0].value])
        let found = problems(minimal.with(["payload": ["aps": aps]]))
        let isFine = members[0].key == "sound" && found.isEmpty
        #expect(found.contains { !$0.isWarning } || isFine)
    }

    @Test(arguments: [
        "yes", "No", "on", "0x1F", "0o17", "012", "1_000", ".inf", ".NaN", "True", "+1", ".5", "1.",
    ])
    func `is rejected if plain scalars are ambiguous`(_ text: String) {
        let found = problems(minimal.with(["payload": ["aps": ["badge": 1], "v": .plain(text)]]))
        #expect(found.first?.remedy?.hasPrefix("quote it") == true)
    }

    @Test(arguments: [
        ("1.10", "1.10"), ("-0", "-0"), ("1e400", "1e400"), ("true", "true"), ("null", "null"),
        ("~", "null"), ("word", "\"word\""), ("2026-01-01", "\"2026-01-01\""),
        ("1.2.3", "\"1.2.3\""),
        ("abc1", "\"abc1\""), ("e5", "\"e5\""),
    ])
    func `keeps plain scalars as YAML reads them`(_ text: String, _ result: String) throws {
        #expect(try written(.plain(text), of: "{\"a\":1}") == ",\"v\":" + result)
    }

    @Test func `keeps quoted scalars and text fields as they are written`() throws {
        #expect(try written("12", of: "{\"a\":1}") == ",\"v\":\"12\"")
        let source = minimal.with([
            "payload": ["aps": ["alert": ["title": .plain("no"), "body": 12]]]
        ])
        #expect(
            try notification("{\"token\":\"ab\"}", source).body
                == "{\"aps\":{\"alert\":{\"title\":\"no\",\"body\":\"12\"}}}")
    }

    @Test(
        arguments: [
            (
                "alert", ["v": 1],
                "an alert push needs an aps.alert that displays something, aps.badge or aps.sound"
            ),
            (
                "background", ["aps": ["badge": 1]],
                "a background push needs aps.content-available: 1"
            ),
            (
                "background", ["aps": ["content-available": 1, "alert": "x"]],
                "a background push cannot contain aps.alert, aps.badge or aps.sound"
            ),
            ("fileprovider", ["domain": "d"], "a fileprovider push needs container-identifier"),
            (
                "fileprovider", ["aps": [:], "domain": "d", "container-identifier": "c"],
                "a fileprovider push cannot contain aps"
            ),
            ("widgets", ["aps": ["badge": 1]], "a widgets push needs aps.content-changed: true"),
            ("liveactivity", ["aps": ["event": "end"]], "a liveactivity push needs aps.timestamp"),
            (
                "liveactivity",
                [
                    "aps": [
                        "event": "start", "timestamp": 1, "content-state": [:], "alert": "x",
                        "attributes": [:],
                    ]
                ],
                "a liveactivity push needs aps.attributes-type for the event start"
            ),
        ] as [(String, MappingSource, String)])
    func `is rejected if the payload breaks a rule of its push type`(
        _ type: String, _ payload: MappingSource, _ message: String
    ) {
        let source = minimal.with([
            "push_type": MappingSource(stringLiteral: type), "payload": payload,
        ])
        #expect(problems(source).contains { $0.message == message && !$0.isWarning })
    }

    @Test func `causes warnings about priority 10 of Live Activities and a very long ttl`() {
        let activity: MappingSource = ["aps": ["event": "end", "timestamp": 1_767_276_000]]
        let found = problems(minimal.with(["push_type": "liveactivity", "payload": activity]))
        #expect(found.map(\.isWarning) == [true])
        #expect(problems(minimal.with(["ttl": "31d"])).map(\.isWarning) == [true])
    }

    @Test func `is rejected for a priority that its push type does not allow`() {
        let background: MappingSource = ["aps": ["content-available": 1]]
        let source = minimal.with([
            "push_type": "background", "payload": background, "priority": 10,
        ])
        #expect(
            problems(source).first?.message
                == "'priority' cannot be '10': background pushes take 5")
    }
}
