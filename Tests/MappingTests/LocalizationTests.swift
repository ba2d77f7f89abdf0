import Delivery
import Mapping
import Testing

@Suite struct `A localized text` {
    private func made(_ alert: MappingSource, of event: String) throws -> Notification {
        try notification(
            "{\"token\":\"ab\"," + event.dropFirst(),
            minimal.with(["payload": ["aps": ["alert": alert]]]))
    }

    @Test func `takes its arguments from the event`() throws {
        let alert: MappingSource = [
            "title-loc-key": "ORDER_TITLE", "title-loc-args": ["${order.id}"],
            "subtitle-loc-key": "SUB", "subtitle-loc-args": ["${name ?? \"you\"}"],
            "loc-key": "ORDER_${state | upper}", "loc-args": ["${order.id}", "Hi ${name}", 7],
        ]
        let made = try made(
            alert, of: #"{"order":{"id":1.10},"state":"shipped","name":"A\"na"}"#)
        #expect(
            made.body == """
                {"aps":{"alert":{"title-loc-key":"ORDER_TITLE","title-loc-args":["1.10"],\
                "subtitle-loc-key":"SUB","subtitle-loc-args":["A\\"na"],\
                "loc-key":"ORDER_SHIPPED","loc-args":["1.10","Hi A\\"na","7"]}}}
                """)
    }

    @Test(arguments: [
        ("${args}", #"{"args":["a",7,"\u00e9"]}"#, #"["a","7","é"]"#),
        ("${list[*].n}", #"{"list":[{"n":"a"},{"n":1e6}]}"#, #"["a","1e6"]"#),
        ("${args}", #"{"args":[]}"#, "[]"),
        ("${args}", #"{"args":["a",null]}"#, "wrong_type"),
        ("${args}", #"{"args":["a",{}]}"#, "wrong_type"),
        ("${args}", #"{"args":["a",true]}"#, "wrong_type"),
        ("${args}", #"{"args":"a"}"#, "wrong_type"),
        ("${list[*].n}", #"{"list":[{"n":"a"},{}]}"#, "missing_field"),
        ("${args}", #"{"x":1}"#, "missing_field"),
    ])
    func `takes all arguments as one array of strings, in order`(
        _ template: String, _ event: String, _ result: String
    ) throws {
        let made = try made(
            ["loc-key": "K", "loc-args": MappingSource(stringLiteral: template)], of: event)
        if let drop = made.drop {
            #expect(drop.reason.rawValue == result)
        } else {
            #expect(made.body == #"{"aps":{"alert":{"loc-key":"K","loc-args":\#(result)}}}"#)
        }
    }

    @Test(
        arguments: [
            ["loc-args": ["${a}", "${b?}"]], ["title-loc-args": ["x ${b?}"]],
            ["subtitle-loc-args": "${args?}"],
        ] as [MappingSource])
    func `rejects optional arguments`(_ alert: MappingSource) {
        let found = problems(
            minimal.with(["payload": ["aps": ["alert": alert.with(["loc-key": "K"])]]]))
        #expect(found.count == 1)
        #expect(found.first?.message.hasSuffix("can not stand here: ") == false)
        #expect(found.first?.message.hasPrefix("'?' is not allowed") == true)
    }

    @Test func `may be in the alert of a Live Activity`() throws {
        let aps: MappingSource = [
            "event": "update", "timestamp": "${at}", "content-state": "${state}",
            "alert": [
                "title": ["loc-key": "T", "loc-args": ["${n}"]], "body": "B", "sound": "s.aiff",
            ],
        ]
        let source = minimal.with([
            "push_type": "liveactivity", "priority": 5, "payload": ["aps": aps],
        ])
        #expect(problems(source).isEmpty)
        let made = try notification(
            #"{"token":"ab","at":1767261600,"state":{"a":1},"n":3}"#, source)
        #expect(
            made.body == """
                {"aps":{"event":"update","timestamp":1767261600,"content-state":{"a":1},\
                "alert":{"title":{"loc-key":"T","loc-args":["3"]},"body":"B","sound":"s.aiff"}}}
                """)
        let plain = minimal.with(["payload": ["aps": aps]])
        #expect(problems(plain).contains { $0.message.hasPrefix("expected a string") })
    }
}

@Suite struct `Every aps key` {
    /// The keys of Apple's table, each with a value that it allows and one that it does not.
    static let keys: [(key: String, good: MappingSource, bad: MappingSource)] = [
        ("alert", "Hi", ["x"]), ("badge", 0, "3"), ("sound", "default", ["x"]),
        ("sound", ["critical": 1, "name": "a", "volume": .plain("0.5")], ["volume": 2]),
        ("thread-id", "t", ["x"]), ("category", "c", [:]), ("content-available", 1, true),
        ("mutable-content", 1, 2), ("target-content-id", "t", [:]),
        ("interruption-level", "time-sensitive", "urgent"),
        ("relevance-score", .plain("0.25"), 2), ("filter-criteria", "f", [:]),
        ("stale-date", 1_767_261_600, 1_767_261_600_000), ("content-state", ["a": 1], 1),
        ("timestamp", 1_767_261_600, "soon"), ("event", "update", "change"),
        ("dismissal-date", 1_767_261_600, .plain("-1")), ("attributes-type", "A", [:]),
        ("attributes", ["a": 1], "x"), ("content-changed", true, false),
        ("input-push-token", 1, true), ("input-push-channel", "YQ==", "c"),
        ("url-args", ["a"], "a"),
    ]
    static let alertKeys: [(key: String, good: MappingSource, bad: MappingSource)] = [
        ("title", "t", [:]), ("subtitle", "s", [:]), ("body", "b", [:]),
        ("launch-image", "i", [:]), ("title-loc-key", "k", [:]), ("title-loc-args", ["a"], "a"),
        ("subtitle-loc-key", "k", [:]), ("subtitle-loc-args", ["a"], "a"), ("loc-key", "k", [:]),
        ("loc-args", ["a"], "a"), ("action-loc-key", "k", [:]), ("summary-arg", "s", [:]),
        ("summary-arg-count", 1, "1"),
    ]

    private func found(_ key: String, _ value: MappingSource, inAlert: Bool) -> [String] {
        let aps: MappingSource =
            inAlert
            ? ["alert": (["body": "b"] as MappingSource).with([key: value])]
            : (["alert": "Hi"] as MappingSource).with([key: value])
        return problems(minimal.with(["payload": ["aps": aps]])).map(\.message)
    }

    @Test func `is supported with the values that Apple documents`() {
        for (key, good, bad) in Self.keys {
            #expect(found(key, good, inAlert: false) == [], "\(key)")
            #expect(found(key, bad, inAlert: false).count == 1, "\(key)")
        }
        for (key, good, bad) in Self.alertKeys {
            #expect(found(key, good, inAlert: true) == [], "\(key)")
            #expect(found(key, bad, inAlert: true).count == 1, "\(key)")
        }
    }
}
