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
        let now = DeviceHarness().now + 1000
        #expect(activities(payload("end", 3)).map { $0.state(at: now) } == [.ended])
        let dismissed = activities(payload("end", 3, #","dismissal-date":9"#))
        #expect(dismissed.map { $0.state(at: now) } == [.dismissed])
        let later = activities(payload("end", 3, #","dismissal-date":9999999999"#))
        #expect(later.map(\.dismissalDate) == [9_999_999_999])
        #expect(later.map { $0.state(at: now) } == [.ended])
    }

    @Test func `is not changed any more after its end`() {
        let list = activities(payload("start", 0), payload("end", 3), payload("update", 4))
        #expect(list.map(\.contentState) == [#"{"score":3}"#])
        #expect(list.map(\.hasEnded) == [true])
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

@Suite struct `The state of a Live Activity` {
    private static let start = DeviceHarness().now
    private static let hour: Int64 = 3_600_000

    /// The activities after pushes at some times, in milliseconds since the first.
    private func activities(_ pushes: (at: Int64, payload: String)...) -> [LiveActivity] {
        var harness = DeviceHarness()
        for (time, payload) in pushes {
            harness.now = Self.start + time
            harness.push(
                ["apns-push-type": "liveactivity"], payload: payload,
                topic: "com.example.app.push-type.liveactivity")
        }
        return harness.device?.lockScreen.activities ?? []
    }

    private func payload(_ event: String, _ more: String = "") -> String {
        #"{"aps":{"event":"\#(event)"\#(more)}}"#
    }

    /// A member with a time in milliseconds since the first push.
    private func date(_ name: String, _ time: Int64) -> String {
        #","\#(name)":\#((Self.start + time) / 1000)"#
    }

    private func states(_ activity: LiveActivity, _ times: Int64...) -> [LiveActivity.State] {
        times.map { activity.state(at: Self.start + $0) }
    }

    @Test(arguments: [Int64.min, -1, 0, .max])
    func `does not depend on dates that are far away`(seconds: Int64) throws {
        let dates = #","stale-date":\#(seconds),"dismissal-date":\#(seconds)"#
        let list = activities((0, payload("start", dates)), (0, payload("end", dates)))
        let isPast = seconds <= 0
        #expect(states(try #require(list.first), 0, 5 * Self.hour)
            == [isPast ? .dismissed : .ended, .dismissed])
    }

    @Test func `becomes stale at its stale date, until an update`() throws {
        let first = (Int64(0), payload("start", date("stale-date", 60_000)))
        let stale = try #require(activities(first).first)
        #expect(states(stale, 0, 59_999, 60_000) == [.active, .active, .stale])
        let update = (Int64(90_000), payload("update", date("stale-date", 120_000)))
        let fresh = try #require(activities(first, update).first)
        #expect(states(fresh, 90_000, 120_000) == [.active, .stale])
    }

    @Test func `is ended until the dismissal date`() throws {
        let end = payload("end", date("dismissal-date", 60_000))
        let list = activities((0, payload("start")), (30_000, end))
        #expect(states(try #require(list.first), 30_000, 60_000) == [.ended, .dismissed])
    }

    @Test(arguments: ["", #","dismissal-date":9999999999"#])
    func `is ended for four hours at most`(date: String) throws {
        let list = activities((0, payload("start")), (Self.hour, payload("end", date)))
        let activity = try #require(list.first)
        #expect(states(activity, Self.hour, 5 * Self.hour - 1) == [.ended, .ended])
        #expect(states(activity, 5 * Self.hour) == [.dismissed])
    }

    @Test func `is ended by the system after eight hours, and dismissed after twelve`() throws {
        let pushes = [(Int64(0), payload("start")), (7 * Self.hour, payload("update"))]
        let activity = try #require(activities(pushes[0], pushes[1]).first)
        #expect(states(activity, 8 * Self.hour - 1, 8 * Self.hour) == [.active, .ended])
        #expect(states(activity, 12 * Self.hour) == [.dismissed])
        let update = payload("update", #","content-state":{}"#)
        let late = activities(pushes[0], (9 * Self.hour, update))
        #expect(late.map(\.contentState) == [nil])
    }

    @Test func `is that of each of several of one app`() {
        let list = activities(
            (0, payload("start", date("stale-date", 60_000))), (1000, payload("start")),
            (2000, payload("end")), (3000, payload("start", date("stale-date", 120_000))))
        let now = Self.start + 90_000
        #expect(list.map { $0.state(at: now) } == [.active, .stale])
    }
}
