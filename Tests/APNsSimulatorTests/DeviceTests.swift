import Testing

@testable import APNsSimulator

@Suite struct `A device` {
    @Test func `that is offline gets nothing until it comes back`() throws {
        var harness = DeviceHarness()
        try harness.online(false)
        #expect(harness.push(title: "A") == .stored)
        #expect(harness.titles.isEmpty)
        harness.now += 60_000
        try harness.online(true)
        #expect(harness.titles == ["A"])
        #expect(harness.device?.pushes.map(\.state) == [.delivered(at: harness.now)])
    }

    @Test func `that is offline has only the newest push of an app stored`() throws {
        var harness = DeviceHarness()
        try harness.online(false)
        harness.push(title: "A")
        harness.push(title: "B")
        harness.push(title: "Other", topic: "com.example.pay")
        #expect(harness.device?.pushes.map(\.state) == [.replaced, .stored, .stored])
        try harness.online(true)
        #expect(Set(harness.titles) == ["B", "Other"])
    }

    @Test func `that is offline has a voip push stored like any other of its app`() throws {
        var harness = DeviceHarness()
        try harness.online(false)
        harness.push(title: "A")
        harness.push(["apns-push-type": "voip"], title: "Call", topic: "com.example.app.voip")
        #expect(harness.device?.pushes.map(\.state) == [.replaced, .stored])
    }

    @Test func `that is offline loses a push that must arrive at once`() throws {
        var harness = DeviceHarness()
        try harness.online(false)
        #expect(harness.push(["apns-expiration": "0"], title: "Now or never") == .notStored)
        harness.push(["apns-expiration": "1"], title: "Long ago")
        try harness.online(true)
        #expect(harness.titles.isEmpty)
    }

    @Test func `that comes back too late does not get expired pushes`() throws {
        var harness = DeviceHarness()
        try harness.online(false)
        harness.push(["apns-expiration": "\(harness.now / 1000 + 60)"], title: "One minute")
        harness.now += 60_000
        try harness.online(true)
        #expect(harness.titles.isEmpty)
        #expect(harness.device?.pushes.map(\.state) == [.expired])
    }

    @Test func `is shown without stored pushes once they have expired`() throws {
        var harness = DeviceHarness()
        try harness.online(false)
        harness.push(["apns-expiration": "\(harness.now / 1000 + 60)"], title: "One minute")
        harness.now += 60_000
        harness.devices.expire(at: harness.now)
        #expect(harness.device?.pushes.map(\.state) == [.expired])
    }

    @Test(arguments: [(days: 30, titles: [String]()), (days: 29, titles: ["A"])])
    func `gets a push without expiration within 30 days`(days: Int, titles: [String]) throws {
        var harness = DeviceHarness()
        try harness.online(false)
        harness.push(title: "A")
        harness.now += Int64(days) * 86_400_000
        try harness.online(true)
        #expect(harness.titles == titles)
    }

    @Test func `gets stored pushes after those that it already has`() throws {
        var harness = DeviceHarness()
        harness.push(title: "First")
        try harness.online(false)
        harness.push(title: "Second")
        harness.now += 1000
        try harness.online(true)
        harness.push(title: "Third")
        #expect(harness.titles == ["Third", "Second", "First"])
    }

    @Test func `that has lost the app causes a 410 with the time`() throws {
        var harness = DeviceHarness()
        #expect(harness.devices.refusal(of: harness.token) == nil)
        try harness.devices.unregister(harness.token, at: harness.now)
        let refusal = harness.devices.refusal(of: harness.token)
        #expect(refusal == Judgement(status: 410, reason: "Unregistered", timestamp: harness.now))
        try harness.devices.register(harness.token)
        #expect(harness.devices.refusal(of: harness.token) == nil)
        #expect(!harness.devices.hasMarks)
    }

    @Test func `that has lost the app does not get its stored pushes`() throws {
        var harness = DeviceHarness()
        try harness.online(false)
        harness.push(title: "A")
        try harness.devices.unregister(harness.token, at: harness.now)
        try harness.devices.register(harness.token)
        try harness.online(true)
        #expect(harness.titles.isEmpty)
    }

    @Test func `that has another token keeps its screen and rejects the old one`() throws {
        var harness = DeviceHarness()
        harness.push(title: "A")
        let other = try #require(TokenBytes(String(repeating: "cd", count: 32)))
        try harness.devices.change(harness.token, to: other, at: harness.now)
        let refusal = harness.devices.refusal(of: harness.token)
        #expect(refusal == Judgement(status: 410, reason: "ExpiredToken", timestamp: harness.now))
        #expect(harness.devices.refusal(of: other) == nil)
        #expect(harness.devices.device(other)?.lockScreen.notifications.map(\.title) == ["A"])
        #expect(harness.device?.standing == .changed(to: other.text, since: harness.now))
        #expect(harness.device?.pushes.isEmpty == true)
    }

    @Test func `that changes its token while offline gets its stored pushes`() throws {
        var harness = DeviceHarness()
        try harness.online(false)
        harness.push(title: "A")
        let other = try #require(TokenBytes(String(repeating: "cd", count: 32)))
        try harness.devices.change(harness.token, to: other, at: harness.now)
        _ = try harness.devices.setOnline(true, other, at: harness.now)
        #expect(harness.devices.device(other)?.lockScreen.notifications.map(\.title) == ["A"])
    }

    @Test func `cannot change to the token that it has or to a former one`() throws {
        var harness = DeviceHarness()
        let other = try #require(TokenBytes(String(repeating: "cd", count: 32)))
        #expect(throws: DeviceFault.sameToken) {
            try harness.devices.change(harness.token, to: harness.token, at: 0)
        }
        try harness.devices.unregister(other, at: 0)
        #expect(throws: DeviceFault.otherNotRegistered) {
            try harness.devices.change(harness.token, to: other, at: 0)
        }
        #expect(throws: DeviceFault.notRegistered) {
            try harness.devices.change(other, to: harness.token, at: 0)
        }
    }
}

@Suite struct `The device memory` {
    private func limits(_ change: (inout MemoryLimits) -> Void) -> MemoryLimits {
        var limits = MemoryLimits()
        change(&limits)
        return limits
    }

    private func token(_ number: Int) throws -> TokenBytes {
        let digits = String(number, radix: 16)
        return try #require(
            TokenBytes(String(repeating: "0", count: 64 - digits.count) + digits))
    }

    @Test func `forgets the device whose last push is longest ago`() throws {
        var harness = DeviceHarness(limits { $0.devices = 2 })
        for number in [1, 2, 1, 3] { harness.push(title: "A", to: try token(number)) }
        #expect(harness.devices.count == 2)
        #expect(harness.devices.forgotten == 1)
        #expect(harness.devices.device(try token(2)) == nil)
        #expect(
            harness.devices.latest(9).map(\.token) == [try token(3).text, try token(1).text])
    }

    @Test func `forgets devices if their pushes together are too large`() throws {
        var harness = DeviceHarness(limits { $0.bytes = 100_000 })
        let text = String(repeating: "x", count: 4_000)
        for number in 0..<1_000 { harness.push(title: text, to: try token(number)) }
        #expect(harness.devices.count < 20)
        #expect(harness.devices.count + harness.devices.forgotten == 1_000)
    }

    @Test func `keeps the latest pushes of a device and counts them all`() throws {
        var harness = DeviceHarness(limits { $0.pushesPerDevice = 3 })
        for number in 1...5 { harness.push(title: "\(number)") }
        #expect(harness.titles == ["5", "4", "3"])
        #expect(harness.device?.received == 5)
    }

    @Test func `never forgets what was configured for a device`() throws {
        var harness = DeviceHarness(limits { $0.devices = 2 })
        try harness.online(false)
        harness.push(title: "A")
        for number in 1...9 { harness.push(title: "B", to: try token(number)) }
        try harness.online(true)
        #expect(harness.titles == ["A"])
    }

    @Test func `accepts orders for a bounded number of devices`() throws {
        var harness = DeviceHarness(limits { $0.marks = 2 })
        try harness.devices.unregister(try token(1), at: 0)
        try harness.devices.unregister(try token(2), at: 0)
        #expect(throws: DeviceFault.tooMany(2)) {
            try harness.devices.unregister(try token(3), at: 0)
        }
        try harness.devices.register(try token(1))
        try harness.devices.unregister(try token(3), at: 0)
    }

    @Test func `stores pushes of a bounded number of apps for a device`() throws {
        var harness = DeviceHarness(limits { $0.storedPerDevice = 2 })
        try harness.online(false)
        for app in ["a", "b", "c"] { harness.push(title: app, topic: app) }
        #expect(harness.device?.pushes.map(\.state) == [.replaced, .stored, .stored])
    }

    @Test(arguments: [
        "", "ab", String(repeating: "a", count: 63), String(repeating: "g", count: 64),
    ])
    func `rejects an invalid token`(text: String) {
        #expect(TokenBytes(text) == nil)
    }

    @Test(arguments: [
        String(repeating: "0123456789abcdef", count: 4),
        String(repeating: "FEDCBA9876543210", count: 7) + "0f",
    ])
    func `treats a token in upper case as the same`(text: String) {
        #expect(TokenBytes(text)?.text == text.lowercased())
        #expect(TokenBytes(text) == TokenBytes(text.lowercased()))
    }
}
