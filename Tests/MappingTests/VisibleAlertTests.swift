import Delivery
import Mapping
import Testing

@Suite struct `An alert push` {
    /// Each with whether a device shows something, or sets a badge, or plays a sound.
    private static let payloads: [(String, Bool)] = [
        (#"{"alert":{}}"#, false), (#"{"alert":{"title":"","body":""}}"#, false),
        (#"{"alert":""}"#, false), (#"{"alert":null}"#, false),
        (#"{"alert":{"launch-image":"x"}}"#, false), (#"{"alert":{"loc-args":["x"]}}"#, false),
        (#"{"alert":"","mutable-content":1}"#, false),
        (#"{"alert":"A"}"#, true), (#"{"alert":{"title":"","body":"A"}}"#, true),
        (#"{"alert":{"subtitle":"A"}}"#, true), (#"{"alert":{"loc-key":"A"}}"#, true),
        (#"{"alert":{"title-loc-key":"A"}}"#, true), (#"{"alert":"","badge":0}"#, true),
        (#"{"alert":{},"sound":"default"}"#, true),
    ]

    @Test(arguments: payloads)
    func `that displays nothing is dropped`(_ aps: String, _ isVisible: Bool) throws {
        let event =
            #"{"token":"ab","push":{"aps":\#(aps)},"device_token":"ab","payload":{"aps":\#(aps)}}"#
        let whole = try notification(event, minimal.with(["payload": "${push}"]))
        #expect((whole.drop?.reason == .alertEmpty) == !isVisible)
        #expect((try notification(event, nil).drop?.reason == .alertEmpty) == !isVisible)
        let parts = try notification(event, minimal.with(["payload": ["aps": "${push.aps}"]]))
        #expect((parts.drop?.reason == .alertEmpty) == !isVisible)
    }

    @Test func `is judged by the texts that its event has`() throws {
        let source = minimal.with([
            "payload": ["aps": ["alert": ["title": "${t?}", "body": "${b}"]]]
        ])
        for (event, isVisible) in [
            (#"{"token":"ab","t":"","b":""}"#, false), (#"{"token":"ab","b":""}"#, false),
            (#"{"token":"ab","t":"A","b":""}"#, true), (#"{"token":"ab","b":"B"}"#, true),
        ] {
            let made = try notification(event, source)
            #expect((made.drop == nil) == isVisible, "\(event)")
            if !isVisible { #expect(made.drop?.reason == .alertEmpty) }
        }
        let text = minimal.with(["payload": ["aps": ["alert": "${b}"]]])
        #expect(try notification(#"{"token":"ab","b":""}"#, text).drop?.reason == .alertEmpty)
        #expect(try notification(#"{"token":"ab","b":"B"}"#, text).drop == nil)
    }

    @Test func `that can never display anything is an error in the file`() {
        for alert: MappingSource in [[:], "", ["title": "", "body": ""], ["launch-image": "x"]] {
            let found = problems(minimal.with(["payload": ["aps": ["alert": alert]]]))
            #expect(found.contains { $0.message.contains("displays something") })
        }
        for alert: MappingSource in ["${a}", ["title": "", "body": "${b?}"], ["loc-key": "K"]] {
            #expect(problems(minimal.with(["payload": ["aps": ["alert": alert]]])) == [])
        }
    }
}

@Suite struct `Null in a connector file` {
    @Test(arguments: ["null", "~", "Null"])
    func `is JSON's null in the app's own data, and where Apple takes one`(_ null: String) throws {
        let payload: MappingSource = [
            "aps": ["alert": ["body": "A", "action-loc-key": .plain(null)]],
            "mine": ["x": .plain(null)],
        ]
        let made = try notification(#"{"token":"ab"}"#, minimal.with(["payload": payload]))
        #expect(
            made.body
                == #"{"aps":{"alert":{"body":"A","action-loc-key":null}},"mine":{"x":null}}"#)
    }

    @Test func `is an error in the rest of aps`() {
        for (name, value) in [
            ("alert", ["body": "A", "subtitle": .plain("null")]),
            ("alert", ["body": "A", "loc-args": [.plain("null")]]), ("badge", .plain("null")),
            ("sound", .plain("~")), ("interruption-level", .plain("null")),
            ("content-available", .plain("null")),
        ] as [(String, MappingSource)] {
            let aps = (["alert": "A"] as MappingSource).with([name: value])
            let found = problems(minimal.with(["payload": ["aps": aps]]))
            #expect(found.contains { $0.message.hasSuffix("not null") }, "\(name): \(found)")
        }
        let unknown = minimal.with([
            "payload": ["aps": ["alert": "A", "mine": .plain("null")]],
            "policy": ["unknown_aps_keys": "allow"],
        ])
        #expect(problems(unknown).map(\.message) == ["'mine' in 'aps' cannot be null"])
    }

    @Test func `is no value of another field`() {
        for name in ["collapse_id", "apns_id", "push_type", "device_token"] {
            let found = problems(minimal.with([name: .plain("null")]))
            #expect(found.map(\.message).contains("'\(name)' has no value"))
            #expect(
                !problems(minimal.with([name: .text("null")]))
                    .map(\.message).contains("'\(name)' has no value"))
        }
    }
}
