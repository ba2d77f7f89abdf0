import Testing

@testable import APNsSimulator

/// Devices that have subscribed to a broadcast channel.
private struct ChannelHarness {
    static let app = "com.example.app"

    let channels = Channels()
    var harness = DeviceHarness()
    let channel: [UInt8]
    private var number = 1000

    init(keepsLatest: Bool = true) {
        channel = channels.make(for: Self.app, storesLatest: keepsLatest, at: 0)
        harness.devices = SimulatedDevices(channels: channels)
    }

    var name: String { String(decoding: channel, as: UTF8.self) }
    /// What the Live Activities of the device show.
    var states: [String] {
        harness.device?.lockScreen.activities.map { $0.contentState ?? "-" } ?? []
    }
    var pushStates: [DevicePush.State] { harness.device?.pushes.map(\.state) ?? [] }

    mutating func subscribe() throws {
        _ = try harness.devices.subscribe(harness.token, to: channel, at: harness.now)
    }

    /// Broadcasts a score, and returns how many devices got it at once.
    @discardableResult
    mutating func broadcast(
        _ score: Int, event: String = "update", expiration: Int64 = 9_999_999_999
    ) -> Int {
        number += 1
        let fields = [
            (":path", "/4/broadcasts/apps/\(Self.app)"), ("apns-channel-id", name),
            ("apns-push-type", "liveactivity"), ("apns-expiration", "\(expiration)"),
        ]
        var request = JudgedRequest(
            arrivedAt: harness.now, fields: fields.map { ([UInt8]($0.0.utf8), [UInt8]($0.1.utf8)) },
            body: [UInt8](
                #"{"aps":{"event":"\#(event)","content-state":{"score":\#(score)}}}"#.utf8),
            judgement: .accepted, identifier: [UInt8](JudgeFixture.identifier.utf8))
        request.number = number
        return harness.devices.broadcast(request, to: channel).count
    }

    /// Starts a Live Activity with a push to the device that names the channel.
    mutating func start(channel: String) {
        let fields = ["apns-push-type": "liveactivity"]
        let payload = """
            {"aps":{"event":"start","input-push-channel":"\(channel)","attributes-type":"Match",
            "attributes":{"home":"Ulm"},"content-state":{"score":0},"alert":"It begins"}}
            """
        harness.push(fields, payload: payload, topic: Self.app + ".push-type.liveactivity")
        guard let push = harness.device?.pushes.last else { return }
        _ = harness.devices.follow(push.request, harness.token, at: harness.now)
    }
}

@Suite struct `A device and a broadcast channel` {
    @Test func `deliver nothing until the device subscribes`() throws {
        var world = ChannelHarness()
        #expect(world.broadcast(1) == 0)
        #expect(world.harness.device == nil)
    }

    @Test func `cannot be connected if the channel does not exist`() throws {
        var world = ChannelHarness()
        #expect(throws: DeviceFault.unknownChannel) {
            _ = try world.harness.devices.subscribe(world.harness.token, to: [65], at: 0)
        }
        #expect(world.harness.device == nil)
    }

    @Test func `are separated when the app is removed`() throws {
        var world = ChannelHarness()
        try world.subscribe()
        try world.harness.devices.unregister(world.harness.token, at: world.harness.now)
        #expect(world.broadcast(1) == 0)
        #expect(throws: DeviceFault.notRegistered) { try world.subscribe() }
    }

    @Test func `are separated when the device unsubscribes or the channel is deleted`() throws {
        var world = ChannelHarness()
        try world.subscribe()
        world.harness.devices.unsubscribe(world.harness.token, from: world.channel)
        #expect(world.broadcast(1) == 0)
        try world.subscribe()
        #expect(world.states == [#"{"score":1}"#], "what the channel keeps came")
        world.harness.devices.close(world.channel)
        #expect(world.broadcast(2) == 0)
        #expect(!world.harness.devices.hasMarks)
    }

    @Test func `show the latest broadcast`() throws {
        var world = ChannelHarness()
        try world.subscribe()
        #expect(world.broadcast(1) == 1)
        #expect(world.broadcast(2) == 1)
        #expect(world.states == [#"{"score":2}"#])
        #expect(world.harness.device?.lockScreen.activities.first?.channel == world.name)
        #expect(world.harness.device?.channels == [world.name])
    }

    @Test func `stay connected when the token changes`() throws {
        var world = ChannelHarness()
        try world.subscribe()
        let other = try #require(TokenBytes(String(repeating: "cd", count: 32)))
        try world.harness.devices.change(world.harness.token, to: other, at: world.harness.now)
        #expect(world.broadcast(1) == 1)
        #expect(world.harness.devices.device(other)?.received == 1)
    }

    @Test func `are separated when the activity ends`() throws {
        var world = ChannelHarness()
        try world.subscribe()
        #expect(world.broadcast(3, event: "end") == 1)
        #expect(world.broadcast(4) == 0)
        #expect(world.states == [#"{"score":3}"#])
        #expect(world.harness.device?.lockScreen.activities.first?.hasEnded == true)
    }

    @Test func `are connected by the push that starts a Live Activity`() throws {
        var world = ChannelHarness()
        world.start(channel: world.name)
        world.broadcast(1)
        let activity = try #require(world.harness.device?.lockScreen.activities.first)
        #expect(activity.contentState == #"{"score":1}"#)
        #expect(activity.attributesType == "Match")
        #expect(activity.attributes == #"{"home":"Ulm"}"#)
        #expect(world.harness.device?.lockScreen.activities.count == 1)
    }

    @Test func `are connected on return if the start was stored`() throws {
        var world = ChannelHarness()
        try world.harness.online(false)
        let fields = ["apns-push-type": "liveactivity"]
        let payload = #"{"aps":{"event":"start","input-push-channel":"\#(world.name)"}}"#
        world.harness.push(
            fields, payload: payload, topic: "com.example.app.push-type.liveactivity")
        #expect(world.broadcast(1) == 0)
        try world.harness.online(true)
        #expect(world.states == [#"{"score":1}"#], "the channel kept it")
    }

    @Test func `are not connected if the channel belongs to another app`() throws {
        var world = ChannelHarness()
        let other = world.channels.make(for: "com.example.pay", storesLatest: true, at: 0)
        world.start(channel: String(decoding: other, as: UTF8.self))
        #expect(world.harness.device?.channels == [])
    }

    @Test func `are limited to eight channels for each device`() throws {
        var world = ChannelHarness()
        for _ in 0..<8 {
            let channel = world.channels.make(for: "a", storesLatest: false, at: 0)
            _ = try world.harness.devices.subscribe(world.harness.token, to: channel, at: 0)
        }
        #expect(throws: DeviceFault.tooManyChannels(8)) { try world.subscribe() }
    }
}

@Suite struct `A broadcast to an offline device` {
    @Test func `is stored if the channel keeps the latest, and a newer one replaces it`() throws {
        var world = ChannelHarness()
        try world.subscribe()
        try world.harness.online(false)
        world.broadcast(1)
        world.broadcast(2)
        #expect(world.pushStates == [.replaced, .stored])
        #expect(world.states.isEmpty)
        world.harness.now += 5000
        try world.harness.online(true)
        #expect(world.pushStates == [.replaced, .delivered(at: world.harness.now)])
        #expect(world.states == [#"{"score":2}"#])
    }

    @Test func `is lost if the channel stores nothing`() throws {
        var world = ChannelHarness(keepsLatest: false)
        try world.subscribe()
        try world.harness.online(false)
        world.broadcast(1)
        #expect(world.pushStates == [.notStored])
        try world.harness.online(true)
        #expect(world.states.isEmpty)
    }

    @Test func `is lost if it is not to be stored`() throws {
        var world = ChannelHarness()
        try world.subscribe()
        try world.harness.online(false)
        world.broadcast(1, expiration: 0)
        #expect(world.pushStates == [.notStored])
    }

    @Test func `is stored for eight hours and no longer`() throws {
        for (wait, states) in [(8 * 3_600_000 - 1, [#"{"score":1}"#]), (8 * 3_600_000, [])] {
            var world = ChannelHarness()
            try world.subscribe()
            try world.harness.online(false)
            world.broadcast(1)
            world.harness.now += Int64(wait)
            try world.harness.online(true)
            #expect(world.states == states)
        }
    }

    @Test func `is stored along with pushes to the app itself`() throws {
        var world = ChannelHarness()
        try world.subscribe()
        try world.harness.online(false)
        world.harness.push(title: "Goal")
        world.broadcast(1)
        try world.harness.online(true)
        #expect(world.harness.titles == ["Goal"])
        #expect(world.states == [#"{"score":1}"#])
    }

    @Test func `reaches later subscribers if the channel keeps it`() throws {
        for (keepsLatest, states) in [(true, [#"{"score":1}"#]), (false, [])] {
            var world = ChannelHarness(keepsLatest: keepsLatest)
            world.broadcast(1)
            try world.subscribe()
            #expect(world.states == states)
        }
    }

    @Test func `is kept for a bounded number of channels`() throws {
        var limits = MemoryLimits()
        limits.keptBroadcasts = 1
        var world = ChannelHarness()
        world.harness.devices = SimulatedDevices(limits: limits, channels: world.channels)
        world.broadcast(1)
        #expect(world.harness.devices.kept.count == 1)
        let other = world.channels.make(for: "a", storesLatest: true, at: 0)
        let request = try #require(world.harness.devices.kept[world.channel])
        _ = world.harness.devices.broadcast(request, to: other)
        #expect(world.harness.devices.kept.keys.map { $0 } == [other])
    }
}
