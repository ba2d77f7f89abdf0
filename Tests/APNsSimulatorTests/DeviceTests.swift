import Testing

@testable import APNsSimulator

@Suite struct `A device` {
    @Test func `that is offline gets nothing until it comes back`() throws {
        var desk = DeviceDesk()
        try desk.online(false)
        #expect(desk.push(title: "A") == .stored)
        #expect(desk.titles.isEmpty)
        desk.now += 60_000
        try desk.online(true)
        #expect(desk.titles == ["A"])
        #expect(desk.device?.pushes.map(\.fate) == [.delivered(at: desk.now)])
    }

    @Test func `that is offline has only the newest push of an app stored`() throws {
        var desk = DeviceDesk()
        try desk.online(false)
        desk.push(title: "A")
        desk.push(title: "B")
        desk.push(title: "Other", topic: "com.example.pay")
        #expect(desk.device?.pushes.map(\.fate) == [.replaced, .stored, .stored])
        try desk.online(true)
        #expect(Set(desk.titles) == ["B", "Other"])
    }

    @Test func `that is offline has a voip push stored like any other of its app`() throws {
        var desk = DeviceDesk()
        try desk.online(false)
        desk.push(title: "A")
        desk.push(["apns-push-type": "voip"], title: "Call", topic: "com.example.app.voip")
        #expect(desk.device?.pushes.map(\.fate) == [.replaced, .stored])
    }

    @Test func `that is offline loses a push that must arrive at once`() throws {
        var desk = DeviceDesk()
        try desk.online(false)
        #expect(desk.push(["apns-expiration": "0"], title: "Now or never") == .notStored)
        desk.push(["apns-expiration": "1"], title: "Long ago")
        try desk.online(true)
        #expect(desk.titles.isEmpty)
    }

    @Test func `that comes back too late does not get expired pushes`() throws {
        var desk = DeviceDesk()
        try desk.online(false)
        desk.push(["apns-expiration": "\(desk.now / 1000 + 60)"], title: "One minute")
        desk.now += 60_000
        try desk.online(true)
        #expect(desk.titles.isEmpty)
        #expect(desk.device?.pushes.map(\.fate) == [.expired])
    }

    @Test func `is shown without stored pushes once they have expired`() throws {
        var desk = DeviceDesk()
        try desk.online(false)
        desk.push(["apns-expiration": "\(desk.now / 1000 + 60)"], title: "One minute")
        desk.now += 60_000
        desk.devices.expire(at: desk.now)
        #expect(desk.device?.pushes.map(\.fate) == [.expired])
    }

    @Test(arguments: [(days: 30, titles: [String]()), (days: 29, titles: ["A"])])
    func `gets a push without expiration within 30 days`(days: Int, titles: [String]) throws {
        var desk = DeviceDesk()
        try desk.online(false)
        desk.push(title: "A")
        desk.now += Int64(days) * 86_400_000
        try desk.online(true)
        #expect(desk.titles == titles)
    }

    @Test func `gets stored pushes after those that it already has`() throws {
        var desk = DeviceDesk()
        desk.push(title: "First")
        try desk.online(false)
        desk.push(title: "Second")
        desk.now += 1000
        try desk.online(true)
        desk.push(title: "Third")
        #expect(desk.titles == ["Third", "Second", "First"])
    }

    @Test func `that has lost the app causes a 410 with the time`() throws {
        var desk = DeviceDesk()
        #expect(desk.devices.refusal(of: desk.token) == nil)
        try desk.devices.unregister(desk.token, at: desk.now)
        let refusal = desk.devices.refusal(of: desk.token)
        #expect(refusal == Judgement(status: 410, reason: "Unregistered", timestamp: desk.now))
        try desk.devices.register(desk.token)
        #expect(desk.devices.refusal(of: desk.token) == nil)
        #expect(!desk.devices.hasMarks)
    }

    @Test func `that has lost the app does not get its stored pushes`() throws {
        var desk = DeviceDesk()
        try desk.online(false)
        desk.push(title: "A")
        try desk.devices.unregister(desk.token, at: desk.now)
        try desk.devices.register(desk.token)
        try desk.online(true)
        #expect(desk.titles.isEmpty)
    }

    @Test func `that has another token keeps its screen and rejects the old one`() throws {
        var desk = DeviceDesk()
        desk.push(title: "A")
        let other = try #require(DeviceToken(String(repeating: "cd", count: 32)))
        try desk.devices.change(desk.token, to: other, at: desk.now)
        let refusal = desk.devices.refusal(of: desk.token)
        #expect(refusal == Judgement(status: 410, reason: "ExpiredToken", timestamp: desk.now))
        #expect(desk.devices.refusal(of: other) == nil)
        #expect(desk.devices.device(other)?.lockScreen.notifications.map(\.title) == ["A"])
        #expect(desk.device?.standing == .changed(to: other.text, since: desk.now))
        #expect(desk.device?.pushes.isEmpty == true)
    }

    @Test func `that changes its token while offline gets its stored pushes`() throws {
        var desk = DeviceDesk()
        try desk.online(false)
        desk.push(title: "A")
        let other = try #require(DeviceToken(String(repeating: "cd", count: 32)))
        try desk.devices.change(desk.token, to: other, at: desk.now)
        _ = try desk.devices.setOnline(true, other, at: desk.now)
        #expect(desk.devices.device(other)?.lockScreen.notifications.map(\.title) == ["A"])
    }

    @Test func `cannot change to the token that it has or to a former one`() throws {
        var desk = DeviceDesk()
        let other = try #require(DeviceToken(String(repeating: "cd", count: 32)))
        #expect(throws: DeviceFault.sameToken) {
            try desk.devices.change(desk.token, to: desk.token, at: 0)
        }
        try desk.devices.unregister(other, at: 0)
        #expect(throws: DeviceFault.otherNotRegistered) {
            try desk.devices.change(desk.token, to: other, at: 0)
        }
        #expect(throws: DeviceFault.notRegistered) {
            try desk.devices.change(other, to: desk.token, at: 0)
        }
    }
}

@Suite struct `The device memory` {
    private func limits(_ change: (inout MemoryLimits) -> Void) -> MemoryLimits {
        var limits = MemoryLimits()
        change(&limits)
        return limits
    }

    private func token(_ number: Int) throws -> DeviceToken {
        let digits = String(number, radix: 16)
        return try #require(
            DeviceToken(String(repeating: "0", count: 64 - digits.count) + digits))
    }

    @Test func `forgets the device whose last push is longest ago`() throws {
        var desk = DeviceDesk(limits { $0.devices = 2 })
        for number in [1, 2, 1, 3] { desk.push(title: "A", to: try token(number)) }
        #expect(desk.devices.count == 2)
        #expect(desk.devices.forgotten == 1)
        #expect(desk.devices.device(try token(2)) == nil)
        #expect(
            desk.devices.latest(9).map(\.token) == [try token(3).text, try token(1).text])
    }

    @Test func `forgets devices if their pushes together are too large`() throws {
        var desk = DeviceDesk(limits { $0.bytes = 100_000 })
        let text = String(repeating: "x", count: 4_000)
        for number in 0..<1_000 { desk.push(title: text, to: try token(number)) }
        #expect(desk.devices.count < 20)
        #expect(desk.devices.count + desk.devices.forgotten == 1_000)
    }

    @Test func `keeps the latest pushes of a device and counts them all`() throws {
        var desk = DeviceDesk(limits { $0.pushesPerDevice = 3 })
        for number in 1...5 { desk.push(title: "\(number)") }
        #expect(desk.titles == ["5", "4", "3"])
        #expect(desk.device?.received == 5)
    }

    @Test func `never forgets what was configured for a device`() throws {
        var desk = DeviceDesk(limits { $0.devices = 2 })
        try desk.online(false)
        desk.push(title: "A")
        for number in 1...9 { desk.push(title: "B", to: try token(number)) }
        try desk.online(true)
        #expect(desk.titles == ["A"])
    }

    @Test func `accepts orders for a bounded number of devices`() throws {
        var desk = DeviceDesk(limits { $0.marks = 2 })
        try desk.devices.unregister(try token(1), at: 0)
        try desk.devices.unregister(try token(2), at: 0)
        #expect(throws: DeviceFault.tooMany(2)) {
            try desk.devices.unregister(try token(3), at: 0)
        }
        try desk.devices.register(try token(1))
        try desk.devices.unregister(try token(3), at: 0)
    }

    @Test func `stores pushes of a bounded number of apps for a device`() throws {
        var desk = DeviceDesk(limits { $0.storedPerDevice = 2 })
        try desk.online(false)
        for app in ["a", "b", "c"] { desk.push(title: app, topic: app) }
        #expect(desk.device?.pushes.map(\.fate) == [.replaced, .stored, .stored])
    }

    @Test(arguments: [
        "", "ab", String(repeating: "a", count: 63), String(repeating: "g", count: 64),
    ])
    func `rejects an invalid token`(text: String) {
        #expect(DeviceToken(text) == nil)
    }

    @Test(arguments: [
        String(repeating: "0123456789abcdef", count: 4),
        String(repeating: "FEDCBA9876543210", count: 7) + "0f",
    ])
    func `treats a token in upper case as the same`(text: String) {
        #expect(DeviceToken(text)?.text == text.lowercased())
        #expect(DeviceToken(text) == DeviceToken(text.lowercased()))
    }
}
