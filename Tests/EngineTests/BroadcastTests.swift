import BridgeSamples
import Configuration
import Delivery
import EventLoop
import Mapping
import Testing

@testable import Engine

extension EngineHarness {
    /// Hands the worker an event that is broadcast to a channel.
    fileprivate func broadcast(
        _ channel: String = "Y2hhbm5lbA==", offset: Int64, more: String = "", key: String? = nil
    ) {
        take(Samples.broadcast(to: channel, more: more), offset: offset, key: key)
    }

    fileprivate func isBroadcast(_ id: PushID) -> Bool { prepared(id).isBroadcast }
}

@Suite struct `A broadcast` {
    private func harness(
        _ tweak: (inout EngineSettings) -> Void = { _ in }
    ) throws -> EngineHarness {
        let harness = try EngineHarness(tweak: tweak)
        harness.assign()
        return harness
    }

    private func member(_ name: String, _ published: EngineHarness.Published?) throws -> String? {
        try Samples.member(name, of: try #require(published).value)
    }

    // MARK: Faults

    @Test(arguments: [
        (410, "Unregistered"), (410, "ExpiredToken"), (400, "BadDeviceToken"),
        (400, "DeviceTokenNotForTopic"),
    ])
    func `is about no device, whatever APNs responds`(status: Int, reason: String) throws {
        let harness = try harness()
        harness.broadcast(offset: 0)
        try harness.sendAndRespond(status, reason)
        let published = harness.settle()
        #expect(published.unregistered.isEmpty && published.deadLetters.count == 1)
        #expect(try member("verdict", published.outcomes.first) == "rejected")
        #expect(published.outcomes.first?.value.contains(#""suspect":false"#) == true)
        harness.broadcast(offset: 1)
        #expect(harness.send() != nil)
    }

    @Test(arguments: [
        "MissingChannelId", "BadChannelId", "ChannelNotRegistered", "BadExpirationDate",
        "BadPriority", "BadMessageId", "MissingPushType", "InvalidPushType", "BadRequestPayload",
        "PayloadEmpty",
    ])
    func `that APNs rejects leaves a dead letter, and the next one is sent`(
        reason: String
    ) throws {
        let harness = try harness()
        harness.broadcast(offset: 0)
        harness.broadcast(offset: 1)
        try harness.sendAndRespond(400, reason)
        #expect(harness.settle().deadLetters.first?.header("apns-bridge-reason") == reason)
        #expect(!harness.isAnyAppSuspended && harness.send() != nil)
    }

    @Test(arguments: [
        (400, "FeatureNotEnabled"), (400, "BroadcastFeatureNotEnabled"), (403, "TopicMismatch"),
        (400, "TopicDisallowed"), (403, "InvalidProviderToken"), (403, "Forbidden"), (404, ""),
        (503, "<html>"),
    ])
    func `that is refused does not stop the pushes to devices`(
        status: Int, reason: String
    ) throws {
        let harness = try harness()
        harness.broadcast(offset: 0)
        try harness.sendAndRespond(status, reason)
        for offset in 1..<20 { harness.push(offset: Int64(offset)) }
        let sent = harness.sendAll()
        #expect(sent.count == 19 && !sent.contains(where: harness.isBroadcast))
        #expect(!harness.isFirstAppSuspended)
    }

    @Test func `that is refused is kept, and probed until APNs accepts broadcasts`() throws {
        let harness = try harness()
        harness.broadcast(offset: 0)
        try harness.sendAndRespond(400, "FeatureNotEnabled")
        #expect(harness.settle().isEmpty && harness.send() == nil && harness.next() == 0)
        let suspension = try #require(harness.engine.takeNotices().first?.suspension)
        #expect(suspension.apps == ["shop (broadcasts)"])
        #expect(harness.engine.state.suspendedApps.map(\.queueName) == ["shop (broadcasts)"])
        harness.pass(milliseconds: 1000)
        try harness.sendAndRespond(200)
        #expect(harness.engine.takeNotices() == [.resumed(apps: ["shop (broadcasts)"])])
        #expect(try member("verdict", harness.settle().outcomes.first) == "accepted")
        #expect(!harness.isAnyAppSuspended)
    }

    @Test func `waits while APNs rejects the credential of pushes to devices`() throws {
        let harness = try harness()
        harness.push(offset: 0)
        harness.broadcast(offset: 1)
        let push = try #require(harness.send())
        harness.respond(push, 403, "InvalidProviderToken")
        #expect(harness.send() == nil)
        #expect(harness.engine.takeNotices().first?.suspension?.apps == ["shop"])
        #expect(harness.engine.state.suspendedApps.map(\.queueName) == ["shop"])
        harness.pass(milliseconds: 1000)
        let probe = try #require(harness.send())
        harness.respond(probe, 200)
        #expect(harness.send() != nil && !harness.isAnyAppSuspended)
    }

    @Test func `that a gateway does not know does not end while no broadcast is accepted`() throws {
        let harness = try harness()
        harness.broadcast(offset: 0)
        for offset in 1...8 {
            let probe = try #require(harness.send())
            #expect(harness.isBroadcast(probe))
            harness.respond(probe, 404)
            harness.push(offset: Int64(offset))
            harness.respond(try #require(harness.send()), 200)
            harness.pass(milliseconds: 10_000)
        }
        #expect(harness.settle().deadLetters.isEmpty && harness.next() == 0)
    }

    @Test func `that is throttled waits alone: 429 is not about a device`() throws {
        let harness = try harness { $0.retry.first = .seconds(30) }
        harness.broadcast(offset: 0)
        try harness.sendAndRespond(429, "TooManyRequests")
        harness.broadcast(offset: 1)
        #expect(harness.send() != nil)
        #expect(harness.nextRetry != nil)
    }

    @Test func `is limited by the rate of its app, not by that of a device`() throws {
        let harness = try harness { $0.rate.perDevice = .init(1, per: .seconds(60)) }
        for offset in 0..<5 { harness.broadcast(offset: Int64(offset)) }
        #expect(harness.sendAll().count == 5)
    }

    @Test func `neither engages the guard nor waits for it`() throws {
        let harness = try harness()
        for offset in 0..<200 { harness.push("ab\(1000 + offset)", offset: Int64(offset)) }
        for push in harness.sendAll() { harness.respond(push, 410, "Unregistered") }
        #expect(harness.isFirstAppSuspended)
        harness.broadcast(offset: 200)
        let broadcast = try #require(harness.send())
        #expect(harness.isBroadcast(broadcast))
        harness.respond(broadcast, 200)
        #expect(harness.isFirstAppSuspended)
        #expect(try member("verdict", harness.settle().outcomes.last) == "accepted")
    }

    @Test func `of a foreign app is rejected alone where the app's own are accepted`() throws {
        let harness = try harness()
        harness.broadcast(offset: 0)
        try harness.sendAndRespond(200)
        harness.broadcast(offset: 1, more: #","bundle_id":"com.example.other""#)
        try harness.sendAndRespond(400, "FeatureNotEnabled")
        #expect(!harness.isAnyAppSuspended)
        #expect(harness.settle().deadLetters.count == 1)
    }

    @Test func `in doubt is sent again, because its timestamp orders it`() throws {
        let harness = try harness()
        harness.broadcast(offset: 0)
        harness.engine.inDoubt(try #require(harness.send()), reason: "lost")
        harness.pass(milliseconds: 60_000)
        #expect(harness.send() != nil)
    }

    @Test func `in doubt with an alert is not sent again: it would sound twice`() throws {
        let harness = try harness()
        let aps = #"{"event":"end","timestamp":1767261600,"alert":{"title":"Over"}}"#
        harness.take(Samples.broadcast(aps: aps), offset: 0)
        harness.engine.inDoubt(try #require(harness.send()), reason: "lost")
        #expect(try member("verdict", harness.settle().outcomes.first) == "unknown")
    }

    @Test func `of no app of the connector is reported with its channel`() throws {
        let harness = try EngineHarness(plan: Samples.twoAppsPlan()) { $0.apps = Samples.twoApps }
        harness.assign()
        harness.broadcast(offset: 0, more: #","bundle_id":"com.example.other""#)
        let outcome = harness.settle().outcomes.first
        #expect(try member("reason", outcome) == "unknown_app")
        #expect(try member("channel_id", outcome) == "Y2hhbm5lbA==")
        #expect(try member("device_token", outcome) == nil)
    }

    // MARK: What is sent and reported

    @Test func `is sent with its channel, an expiration and a priority`() throws {
        let harness = try harness()
        harness.broadcast(offset: 0)
        let notification = harness.prepared(try #require(harness.send()))
        #expect(notification.isBroadcast && notification.pushType == .liveactivity)
        #expect(notification.destination.identifier == Array("Y2hhbm5lbA==".utf8))
        #expect(notification.expiration == .immediate && notification.priority == 10)
        #expect(notification.bundleID == Array("com.example.shop".utf8))
    }

    @Test func `has an outcome with its channel and what identifies it at Apple`() throws {
        let harness = try harness()
        harness.broadcast(offset: 7)
        let id = try #require(harness.send())
        let name = harness.apnsID(id)
        harness.engine.accepted(id, uniqueID: Array("unique".utf8))
        let outcome = try #require(harness.settle().first)
        #expect(try member("channel_id", outcome) == "Y2hhbm5lbA==")
        #expect(try member("device_token", outcome) == nil)
        #expect(try member("apns_id", outcome) == name.description)
        #expect(try member("apns_unique_id", outcome) == "unique")
        #expect(try member("bundle_id", outcome) == "com.example.shop")
        #expect(try member("environment", outcome) == "production")
        #expect(try member("push_type", outcome) == "liveactivity")
        #expect(outcome.key == "Y2hhbm5lbA==")
        #expect(
            outcome.value.contains(
                #""device_token":null,"channel_id":"Y2hhbm5lbA==","bundle_id":"#))
    }

    @Test(arguments: [ResultsSettings.DeviceTokenPrivacy.hashed, .omitted])
    func `shows its channel where device tokens are hidden`(
        privacy: ResultsSettings.DeviceTokenPrivacy
    ) throws {
        let harness = try harness { $0.results.deviceTokens = privacy }
        harness.broadcast(offset: 0)
        try harness.sendAndRespond(200)
        let outcome = harness.settle().first
        #expect(try member("channel_id", outcome) == "Y2hhbm5lbA==")
        #expect(outcome?.key == "Y2hhbm5lbA==")
    }

    @Test(arguments: [ResultsSettings.DeviceTokenPrivacy.hashed, .omitted])
    func `does not show a key, which may be a device token, where those are hidden`(
        privacy: ResultsSettings.DeviceTokenPrivacy
    ) throws {
        let harness = try harness { $0.results.deviceTokens = privacy }
        harness.broadcast(offset: 0, key: "ab01")
        try harness.sendAndRespond(200)
        let outcome = try #require(harness.settle().first)
        #expect(outcome.key == "Y2hhbm5lbA==" && !outcome.value.contains("ab01"))
    }

    @Test func `makes room for itself: pushes of its suspended app leave the window`() throws {
        let harness = try harness()
        for offset in 0..<3 { harness.push(offset: Int64(offset)) }
        try harness.sendAndRespond(400, "TopicDisallowed")
        #expect(harness.isFirstAppSuspended && harness.waitingRecords == 0)
        harness.broadcast(offset: 3)
        #expect(harness.waitingRecords == 3)
        #expect(harness.isBroadcast(try #require(harness.send())))
    }

    @Test func `and a push to a device alternate in outcomes without mixing`() throws {
        let harness = try harness()
        for offset in 0..<6 {
            if offset % 2 == 0 {
                harness.push(offset: Int64(offset))
            } else {
                harness.broadcast(offset: Int64(offset))
            }
        }
        for push in harness.sendAll() { harness.respond(push, 200) }
        let outcomes = harness.settle()
        #expect(try outcomes.filter { try member("device_token", $0) == "ab01" }.count == 3)
        #expect(try outcomes.filter { try member("channel_id", $0) != nil }.count == 3)
        #expect(
            try outcomes.allSatisfy {
                try (member("device_token", $0) == nil) != (member("channel_id", $0) == nil)
            })
    }

    @Test func `keeps the order of its channel`() throws {
        let harness = try harness { $0.ordering = .device }
        harness.broadcast(offset: 0)
        harness.broadcast(offset: 1)
        harness.broadcast("b3RoZXI=", offset: 2)
        let sent = harness.sendAll()
        #expect(sent.map(harness.offset) == [0, 2])
        harness.respond(sent[0], 200)
        #expect(harness.sendAll().map(harness.offset) == [1])
    }

    @Test func `is not superseded by a newer one`() throws {
        let harness = try harness { $0.supersede = .backlog }
        let update = #"{"event":"update","timestamp":1767261600,"content-state":{}}"#
        harness.take(Samples.broadcast(aps: update), offset: 0)
        harness.take(Samples.broadcast(aps: update), offset: 1)
        #expect(harness.sendAll().count == 2)
    }

    @Test func `that waits for a long time moves to the retry topic and comes back`() throws {
        let writer = try retryHarness()
        writer.broadcast(offset: 1)
        let first = try #require(writer.send())
        let name = writer.apnsID(first)
        writer.respond(first, 503, "ServiceUnavailable", retryAfter: 10)
        let moved = try #require(writer.settle().first { $0.ticket.kind == .retry }).record
        let harness = try EngineHarness { $0.results.retry = "apns.retry" }
        harness.takeBack(moved, offset: 70, of: harness.assignRetry())
        harness.pass(milliseconds: 12_000)
        let id = try #require(harness.send())
        #expect(harness.isBroadcast(id) && harness.apnsID(id) == name)
        harness.engine.accepted(id, uniqueID: Array("unique".utf8))
        #expect(try member("channel_id", harness.settle().outcomes.first) == "Y2hhbm5lbA==")
    }

    @Test func `counts as a push of its app`() throws {
        let harness = try harness()
        harness.broadcast(offset: 0)
        try harness.sendAndRespond(200)
        harness.settle()
        #expect(harness.engine.figures.accepted(app: 0, .liveactivity) == 1)
    }

    @Test func `costs nothing where there is none`() throws {
        let harness = try harness()
        harness.push(offset: 0)
        #expect(harness.engine.sendingCell.value.queues.count == 1)
        harness.broadcast(offset: 1)
        #expect(harness.engine.sendingCell.value.queues.count == 2)
    }
}
