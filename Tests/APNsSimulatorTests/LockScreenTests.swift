import Testing

@testable import APNsSimulator

@Suite struct `A lock screen` {
    private func screen(
        _ pushes: (fields: [String: String], payload: String)...
    ) -> LockScreen {
        var harness = DeviceHarness()
        for push in pushes {
            harness.now += 1000
            harness.push(push.fields, payload: push.payload)
        }
        return harness.device?.lockScreen ?? LockScreen()
    }

    @Test(arguments: [
        "background", "voip", "complication", "fileprovider", "location", "widgets", "mdm",
    ])
    func `shows nothing for a push of another type`(type: String) {
        let screen = screen((["apns-push-type": type], #"{"aps":{"alert":"A"}}"#))
        #expect(screen.notifications.isEmpty)
    }

    @Test(arguments: [
        "", "no JSON", "[]", "7", #"{"aps":7}"#, #"{"aps":{}}"#, #"{"aps":{"alert":7}}"#,
        #"{"aps":{"alert":{}}}"#, #"{"aps":{"content-available":1}}"#,
    ])
    func `shows nothing for a payload without text`(payload: String) {
        #expect(screen(([:], payload)) == LockScreen())
    }

    @Test func `shows an alert string as the body`() {
        let shown = screen(([:], #"{"aps":{"alert":"Hello"}}"#)).notifications.first
        #expect(shown?.body == "Hello")
        #expect(shown?.title == nil)
    }

    @Test func `shows all parts of an alert`() {
        let payload = """
            {"aps":{"alert":{"title":"T","subtitle":"S","body":"B"},"badge":3,"sound":"ding.caf",
            "thread-id":"orders","category":"ORDER","interruption-level":"time-sensitive"}}
            """
        let shown = screen((["apns-collapse-id": "c"], payload)).notifications.first
        #expect(shown?.app == "com.example.app")
        #expect(shown?.identifier == JudgeFixture.identifier)
        #expect(shown?.title == "T")
        #expect(shown?.subtitle == "S")
        #expect(shown?.body == "B")
        #expect(shown?.badge == 3)
        #expect(shown?.sound == "ding.caf")
        #expect(shown?.threadID == "orders")
        #expect(shown?.category == "ORDER")
        #expect(shown?.interruptionLevel == "time-sensitive")
        #expect(shown?.collapseID == "c")
    }

    @Test func `shows the name of a critical sound`() {
        let payload = #"{"aps":{"alert":"A","sound":{"critical":1,"name":"alarm.caf"}}}"#
        #expect(screen(([:], payload)).notifications.first?.sound == "alarm.caf")
    }

    @Test func `shows the key of a localized text`() {
        let payload = """
            {"aps":{"alert":{"title-loc-key":"SHIPPED","loc-key":"ORDER_%@_%@",
            "loc-args":["17","blue"]}}}
            """
        let shown = screen(([:], payload)).notifications.first
        #expect(shown?.title == "SHIPPED")
        #expect(shown?.body == "ORDER_%@_%@ (17, blue)")
    }

    @Test func `shows only the newest notification of one collapse ID`() {
        let screen = screen(
            (["apns-collapse-id": "c"], #"{"aps":{"alert":"1"}}"#),
            ([:], #"{"aps":{"alert":"2"}}"#),
            (["apns-collapse-id": "c"], #"{"aps":{"alert":"3"}}"#))
        #expect(screen.notifications.map(\.body) == ["3", "2"])
    }

    @Test func `separates notifications of two apps with one collapse ID`() {
        var harness = DeviceHarness()
        harness.push(["apns-collapse-id": "c"], title: "A", topic: "com.example.a")
        harness.push(["apns-collapse-id": "c"], title: "B", topic: "com.example.b")
        #expect(harness.titles == ["B", "A"])
    }

    @Test func `has the last badge of each app until it is 0`() {
        let one = #"{"aps":{"badge":1}}"#
        #expect(screen(([:], one), ([:], #"{"aps":{"badge":5}}"#)).badges == ["com.example.app": 5])
        #expect(screen(([:], one), ([:], #"{"aps":{"alert":"A"}}"#)).badges.values.first == 1)
        #expect(screen(([:], one), ([:], #"{"aps":{"badge":0}}"#)).badges.isEmpty)
    }
}
