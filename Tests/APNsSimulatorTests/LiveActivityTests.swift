import Testing

@testable import APNsSimulator

@Suite struct `A Live Activity on a lock screen` {
    private static let fields = ["apns-push-type": "liveactivity"]

    private func activities(_ payloads: String...) -> [LiveActivity] {
        var harness = DeviceHarness()
        for payload in payloads {
            harness.now += 1000
            harness.push(
                Self.fields, payload: payload, topic: "com.example.app.push-type.liveactivity")
        }
        return harness.device?.lockScreen.activities ?? []
    }

    private func payload(_ event: String, _ score: Int, _ more: String = "") -> String {
        #"{"aps":{"event":"\#(event)","content-state":{"score":\#(score)}\#(more)}}"#
    }

    @Test(arguments: ["", "no JSON", #"{"aps":{}}"#, #"{"aps":{"event":"stop"}}"#])
    func `is not started by a payload without an event`(payload: String) {
        #expect(activities(payload).isEmpty)
    }

    @Test func `is not started by a push of another type`() {
        var harness = DeviceHarness()
        harness.push(payload: payload("start", 0))
        #expect(harness.device?.lockScreen.activities.isEmpty == true)
    }

    @Test func `is updated by the latest push, and keeps what that omits`() throws {
        let start = #","attributes-type":"Match","attributes":{"home":"Ulm"},"stale-date":9"#
        let list = activities(payload("start", 0, start), payload("update", 1))
        let activity = try #require(list.first)
        #expect(list.count == 1)
        #expect(activity.app == "com.example.app")
        #expect(activity.channel == nil)
        #expect(activity.contentState == #"{"score":1}"#)
        #expect(activity.attributesType == "Match")
        #expect(activity.attributes == #"{"home":"Ulm"}"#)
        #expect(activity.staleDate == nil)
        #expect(activity.updatedAt == activity.shownAt + 1000)
    }

    @Test func `is not changed by a push that is older than the last one`() {
        let list = activities(
            payload("update", 2, #","timestamp":20"#), payload("update", 1, #","timestamp":10"#))
        #expect(list.map(\.contentState) == [#"{"score":2}"#])
    }

    @Test func `stays visible after its end, unless it is dismissed at once`() {
        #expect(activities(payload("end", 3)).map(\.hasEnded) == [true])
        #expect(activities(payload("end", 3, #","dismissal-date":9"#)).isEmpty)
        let later = activities(payload("end", 3, #","dismissal-date":9999999999"#))
        #expect(later.map(\.dismissalDate) == [9_999_999_999])
    }

    @Test func `starts over after its end`() {
        let list = activities(
            payload("end", 3, #","timestamp":30"#), payload("start", 0, #","timestamp":1"#))
        #expect(list.map(\.contentState) == [#"{"score":0}"#])
        #expect(list.map(\.hasEnded) == [false])
    }

    @Test func `leaves its alert among the notifications`() {
        var harness = DeviceHarness()
        let body = payload("start", 0, #","alert":{"title":"Kick-off"}"#)
        harness.push(Self.fields, payload: body)
        #expect(harness.titles == ["Kick-off"])
    }
}

@Suite struct `A second start of a Live Activity` {
    @Test func `makes a second activity, and what follows changes that one`() {
        var harness = DeviceHarness()
        for (number, event) in ["start", "start", "update"].enumerated() {
            harness.now += 1000
            harness.push(
                ["apns-push-type": "liveactivity"],
                payload: #"{"aps":{"event":"\#(event)","content-state":{"score":\#(number)}}}"#,
                topic: "com.example.app.push-type.liveactivity")
        }
        let list = harness.device?.lockScreen.activities ?? []
        #expect(list.map(\.contentState) == [#"{"score":2}"#, #"{"score":0}"#])
    }
}
