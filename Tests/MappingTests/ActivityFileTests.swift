import Delivery
import Mapping
import Testing

/// A block with a `live_activity`.
func activity(_ members: MappingSource) -> MappingSource {
    ["device_token": "${token}", "priority": 5, "live_activity": members]
}

@Suite struct `A live_activity in the file` {
    private static let update: MappingSource = [
        "event": "update", "content_state": ["status": "${status}"],
    ]
    private static let start: MappingSource = [
        "event": "start", "content_state": "${state}", "attributes_type": "Delivery",
        "attributes": ["order": "${id}"], "alert": ["title": "Accepted"],
    ]
    private static let end: MappingSource = ["event": "end"]

    private func errors(_ block: MappingSource) -> [String] {
        problems(block).map { $0.isWarning ? "warning" : $0.message }
    }

    @Test func `is not valid next to a payload`() {
        let found = problems(
            activity(Self.update).with(["payload": ["aps": ["alert": "Hi"]]]))
        #expect(found.map(\.message) == ["'payload' and 'live_activity' are mutually exclusive"])
        #expect(
            found.first?.remedy == "remove 'payload': the bridge builds it from 'live_activity'")
    }

    @Test(arguments: ["alert", "${type}"])
    func `is not valid with another push type`(type: String) {
        let found = errors(activity(Self.update).with(["push_type": .text(type)]))
        #expect(found == ["'push_type' must be liveactivity with 'live_activity'"])
    }

    @Test func `is a map`() {
        #expect(errors(activity("${activity}")) == ["'live_activity' must be a map"])
        #expect(errors(activity(["update"])) == ["'live_activity' must be a map"])
    }

    @Test(arguments: [
        ("content-state", "content_state"), ("attributes-type", "attributes_type"),
        ("dismisal_date", "dismissal_date"),
    ])
    func `names the key that a misspelled one resembles`(written: String, meant: String) {
        let found = problems(activity(Self.update.with([written: "x"])))
        #expect(found.map(\.message) == ["unknown key '\(written)' in live_activity"])
        #expect(found.first?.remedy == "did you mean '\(meant)'?")
    }

    @Test func `lacks nothing that is only misspelled`() {
        let found = problems(activity(["event": "update", "content-state": ["a": 1]]))
        #expect(found.map(\.message) == ["unknown key 'content-state' in live_activity"])
    }

    @Test func `lists its keys for one that resembles none`() {
        let found = problems(activity(Self.update.with(["zzzzzzzzzzzz": 1])))
        #expect(
            found.first?.remedy
                == "keys are event, timestamp, content_state, attributes_type, attributes,"
                + " stale_date, stale_after, dismissal_date, relevance_score, input_push_token,"
                + " input_push_channel, alert")
    }

    @Test(arguments: [
        (start, "content_state", "to start or update an activity"),
        (update, "content_state", "to start or update an activity"),
        (start, "attributes_type", "to start an activity"),
        (start, "attributes", "to start an activity"), (start, "alert", "to start an activity"),
    ])
    func `has what its event needs`(whole: MappingSource, key: String, reason: String) {
        #expect(errors(activity(whole)) == [])
        let found = problems(activity(whole.without(key)))
        #expect(found.map(\.message) == ["'\(key)' is missing: it is needed \(reason)"])
        #expect(found.first?.remedy?.hasPrefix("write \(key): ") == true)
    }

    @Test(arguments: [
        [:], ["title": ""], ["title": ["loc-key": ""]], ["title": ["loc-args": ["a"]]],
        ["sound": "default"],
    ] as [MappingSource])
    func `starts with an alert that displays something`(alert: MappingSource) {
        let found = problems(activity(Self.start.with(["alert": alert])))
        #expect(
            found.map(\.message)
                == ["'alert' displays nothing: it is needed to start an activity"])
        #expect(found.first?.remedy?.hasPrefix("write alert: {title: ") == true)
        #expect(errors(activity(Self.update.with(["alert": alert]))) == [])
    }

    @Test(arguments: [
        "Accepted", "${alert}", ["body": "${text?}"], ["title": ["loc-key": "ACCEPTED"]],
        ["title": "${title}", "sound": "default"],
    ] as [MappingSource])
    func `starts with a text, a localized one, or what the event contains`(alert: MappingSource) {
        #expect(errors(activity(Self.start.with(["alert": alert]))) == [])
    }

    @Test func `has an event`() {
        let found = problems(activity(["content_state": ["a": 1]]))
        #expect(found.map(\.message) == ["'event' is missing"])
        #expect(found.first?.remedy == "write event: start, update or end")
        #expect(
            errors(activity(Self.update.with(["event": "begin"])))
                == ["expected start, update or end, not 'begin'"])
        #expect(
            errors(activity(Self.update.with(["event": "${kind?}"])))
                == ["'?' is not allowed here: each push needs an event"])
    }

    @Test(arguments: [
        (update, "attributes", "start"), (update, "attributes_type", "start"),
        (end, "attributes", "start"), (update, "dismissal_date", "end"),
        (start, "dismissal_date", "end"), (update, "input_push_channel", "start"),
    ])
    func `has nothing that its event cannot have`(
        whole: MappingSource, key: String, event: String
    ) {
        let value: MappingSource = key == "attributes" ? ["a": 1] : "${v}"
        let found = problems(activity(whole.with([key: value])))
        #expect(found.map(\.message) == ["'\(key)' is only valid with event: \(event)"])
        #expect(found.first?.remedy == "remove it, or write event: \(event)")
    }

    @Test func `has one of two keys that mean the same`() {
        #expect(
            errors(activity(Self.update.with(["stale_date": "${v}", "stale_after": "5m"])))
                == ["'stale_date' and 'stale_after' are mutually exclusive"])
        #expect(
            errors(
                activity(
                    Self.start.with(["input_push_token": true, "input_push_channel": "${v}"])))
                == ["'input_push_token' and 'input_push_channel' are mutually exclusive"])
    }

    @Test(arguments: [
        ("timestamp", "soon", "it must be a time from 2001 on: "),
        ("timestamp", "0", "it must be a time from 2001 on: "),
        ("timestamp", "never", "it stands for never: "),
        ("stale_date", "20455", "it must be a time from 2001 on: "),
        ("stale_after", "-5m", "it must be a positive duration"),
        ("stale_after", "1M", "it must be a positive duration"),
    ])
    func `has times and durations`(key: String, text: String, rule: String) {
        let found = problems(activity(Self.update.with([key: .text(text)])))
        #expect(found.count == 1)
        let message = found.first?.message ?? ""
        #expect(message.contains("'\(key)'") && message.contains("'\(text)'"), "\(message)")
        #expect(message.contains(rule.dropFirst("it must be ".count)), "\(message)")
        #expect(found.first?.remedy?.hasPrefix("write \(key): ") == true)
    }

    @Test func `follows a channel whose ID is Base64`() {
        let channels = [("dHN0", true), ("${channel}", true), ("!!", false), ("5", false)]
        for (channel, isRight) in channels {
            let found = errors(
                activity(Self.start.with(["input_push_channel": .init(stringLiteral: channel)])))
            #expect(found.isEmpty == isRight, "\(channel): \(found)")
        }
    }

    @Test func `has a name of its type`() {
        let found = errors(activity(Self.start.with(["attributes_type": ""])))
        #expect(found == ["expected the name of a type, not ''"])
    }

    @Test func `requests a push token, or says nothing of one`() {
        for value: MappingSource in [true, 1] {
            #expect(errors(activity(Self.start.with(["input_push_token": value]))) == [])
        }
        for value: MappingSource in [false, 0, "${wants_token}", ["a"]] {
            #expect(
                errors(activity(Self.start.with(["input_push_token": value])))
                    == ["'input_push_token' must be true"])
        }
    }

    @Test(arguments: [
        ("content_state", "expected an object, not 'on its way'"),
        ("alert", "unknown key 'titel': Apple does not define it here"),
        ("relevance_score", "expected a number, not 'on its way'"),
    ])
    func `has values of the types that Apple defines`(key: String, message: String) {
        let value: MappingSource = key == "alert" ? ["titel": "x"] : "on its way"
        #expect(errors(activity(Self.update.with([key: value]))) == [message])
    }

    @Test func `is sent with priority 10 or 5, one of which is best written`() {
        #expect(
            errors(activity(Self.update).with(["priority": 1]))
                == ["'priority' cannot be '1': liveactivity pushes take 10, 5"])
        #expect(errors(activity(Self.update).without("priority")) == ["warning"])
    }

    @Test func `is too large if its constants are`() {
        let long = MappingSource.text(String(repeating: "x", count: 5000))
        let found = problems(activity(Self.update.with(["content_state": ["a": long]])))
        #expect(found.count == 1)
        #expect(
            found.first?.message.hasSuffix(
                "bytes without its templates; the limit is 4096") == true)
        #expect(found.first?.remedy?.hasPrefix("shorten 'content_state' or what else") == true)
    }

    @Test func `is what to write for a push type that has no payload`() {
        let block = minimal.without("payload")
            .with(["push_type": "liveactivity", "priority": 5])
        #expect(problems(block).first?.remedy?.hasPrefix("write live_activity: ") == true)
    }

    @Test func `may have the path of a text to cut`() {
        let block = activity(Self.start).with([
            "policy": ["payload_too_large": "truncate", "truncate": "aps.alert.body"]
        ])
        #expect(
            errors(block) == [
                "the path in 'truncate' does not exist: the payload has no 'body' there"
            ])
        let cut = Self.start.with(["alert": ["title": "Accepted", "body": "${text}"]])
        #expect(errors(block.with(["live_activity": cut])) == [])
    }
}
