import APNs
import BridgeSamples
import Configuration
import ConnectorTesting
import Delivery
import Foundation
import Mapping
import Testing

/// What the tests of `send` share.
enum SendingHarness {
    static let now: Int64 = 1_767_261_600_000

    /// An event, mapped by the canonical plan of the samples.
    static func render(_ event: [UInt8], _ plan: MappingPlan? = nil) throws -> RenderedRecord {
        let plan = try plan ?? Samples.canonicalPlan()
        var renderer = RecordRenderer(plan: plan, clusterID: "send 1", group: "apns-orders")
        let record = Record.owning(
            assignment: AssignmentID(1),
            topicPartition: TopicPartition(topic: "shop.orders", partition: 0), offset: 0,
            timestamp: now, value: event)
        return renderer.render(record, now: now)
    }

    static func render(_ event: String) throws -> RenderedRecord {
        try render(Array(event.utf8))
    }

    static func tokens(_ rendered: RenderedRecord) -> [String] {
        rendered.pushes.map {
            String(decoding: $0.notification.destination.identifier, as: UTF8.self)
        }
    }
}

@Suite struct `A push on the command line` {
    @Test func `has the fields that were given, and defaults for the others`() throws {
        let payload = PushDraft.payload(title: "Hi", body: "a \"b\"", sound: "default", badge: 3)
        #expect(
            String(decoding: payload, as: UTF8.self)
                == #"{"aps":{"alert":{"title":"Hi","body":"a \"b\""},"sound":"default","#
                + #""badge":3}}"#)
        var draft = PushDraft(to: ["00FF", "00fe"], payload: payload)
        draft.collapseID = "order-1"
        draft.timeToLive = "4h"
        let rendered = try SendingHarness.render(draft.event)
        #expect(SendingHarness.tokens(rendered) == ["00ff", "00fe"])
        let notification = try #require(rendered.pushes.first?.notification)
        #expect(notification.pushType == .alert)
        #expect(notification.isPriorityDefault)
        #expect(notification.collapseID == Array("order-1".utf8))
        #expect(notification.expiration == .at(seconds: SendingHarness.now / 1000 + 4 * 3600))
        #expect(notification.payload == payload)
        #expect(Set(rendered.pushes.map(\.id)).count == 2)
    }

    @Test(arguments: [("0", Expiration.immediate), ("1767268800", .at(seconds: 1_767_268_800))])
    func `may have an expiration`(text: String, expiration: Expiration) throws {
        var draft = PushDraft(to: ["00ff"], payload: Array(#"{"aps":{"badge":1}}"#.utf8))
        draft.expiration = text
        let rendered = try SendingHarness.render(draft.event)
        #expect(rendered.pushes.first?.notification.expiration == expiration)
    }

    @Test func `is validated as an event is`() throws {
        var draft = PushDraft(to: ["00ff"], payload: Array(#"{"aps":{"badge":1}}"#.utf8))
        draft.pushType = .background
        draft.priority = 10
        let rendered = try SendingHarness.render(draft.event)
        #expect(rendered.pushes.isEmpty)
        let drop = try #require(rendered.notifications.first?.notification.drop)
        #expect(drop.reason == .backgroundPriority)
    }

    @Test func `goes to the app that was chosen`() throws {
        var connector = try Samples.connector(plan: Samples.canonicalPlan())
        var second = connector.apns.apps[0]
        second.name = "pay"
        second.bundleID = "com.example.pay"
        connector.apns.apps.append(second)
        let draft = PushDraft(to: ["00ff"], payload: Array(#"{"aps":{"badge":1}}"#.utf8))
        for (index, app) in connector.apns.apps.enumerated() {
            let plan = try #require(connector.canonicalPlan(app: app, source: "command line"))
            let push = try #require(SendingHarness.render(draft.event, plan).pushes.first)
            #expect(push.notification.app == index)
            #expect(push.notification.bundleID == Array(app.bundleID.utf8))
        }
    }
}

@Suite struct `An event for other devices` {
    private let tokens = [Array("aa".utf8), Array("bb".utf8)]

    @Test func `goes to each of them once, however many devices it was for`() throws {
        let event = #"{"device_tokens":["00ff","00fe","00fd"],"payload":{"aps":{"badge":1}}}"#
        let rendered = try SendingHarness.render(event)
        let other = rendered.redirected(to: tokens, now: SendingHarness.now)
        #expect(SendingHarness.tokens(rendered).count == 3)
        #expect(SendingHarness.tokens(other) == ["aa", "bb"])
        let ids = Set((rendered.pushes + other.pushes).map(\.id))
        #expect(ids.count == 5)
    }

    @Test func `is still dropped for what is wrong with it`() throws {
        let rendered = try SendingHarness.render(#"{"device_token":"00ff","payload":{"aps":1}}"#)
        let other = rendered.redirected(to: tokens, now: SendingHarness.now)
        #expect(other.pushes.isEmpty)
        #expect(other.notifications.count == rendered.notifications.count)
    }
}

@Suite struct `The output of send` {
    private func record(_ tokens: String...) throws -> SentRecord {
        let list = tokens.map { "\"\($0)\"" }.joined(separator: ",")
        let event = #"{"device_tokens":[\#(list)],"payload":{"aps":{"badge":1}}}"#
        return SentRecord(try SendingHarness.render(event), credentials: [.key])
    }

    private func sent(_ result: PushReport.Result) throws -> (record: SentRecord, text: String) {
        var record = try self.record("00ff")
        let text = record.end([PushReport(result, milliseconds: 31)], now: SendingHarness.now)
        return (record, text)
    }

    private func lines(of result: PushReport.Result) throws -> [String] {
        let text = try sent(result).text
        let parts = text.components(separatedBy: "19 of 4096 bytes.\n\n")
        #expect(parts[0].hasPrefix("POST /3/device/00ff\n"))
        return parts[1].split(separator: "\n").map(String.init)
    }

    @Test func `has the response below the request`() throws {
        var response = APNsResponse(status: 200)
        response.uniqueID = Array("4f6a".utf8)
        #expect(
            try lines(of: .responded(response)) == [
                "200 accepted after 31 ms", "apns-unique-id: 4f6a",
                "1 notification: 1 accepted.",
            ])
        #expect(try sent(.responded(response)).record.isAccepted)
    }

    @Test func `says what a rejection means, and what a bridge does about it`() throws {
        let response = APNsResponse(
            status: 410, reason: "Unregistered", timestamp: SendingHarness.now)
        let lines = try lines(of: .responded(response))
        #expect(lines[0] == "410 Unregistered after 31 ms")
        #expect(lines[1] == "unregistered since 2026-01-01T10:00:00.000Z")
        #expect(lines[2] == response.row.meaning)
        #expect(lines[3] == "In a running bridge: \(Reaction.unregistered.message).")
        #expect(lines[4] == "1 notification: 1 rejected.")
    }

    @Test func `names the credential that was rejected`() throws {
        let response = APNsResponse(status: 403, reason: "InvalidProviderToken")
        let lines = try lines(of: .responded(response))
        #expect(lines.contains(response.row.meaning(for: .key)))
    }

    @Test(arguments: [
        (PushReport.Result.responded(APNsResponse(status: 200)), SentResponse.Verdict.accepted),
        (.responded(APNsResponse(status: 200, isIdentified: false)), .unknown),
        (.responded(APNsResponse(status: 503)), .rejected),
        (.credentialRefused(reason: "BadCertificate"), .rejected),
        (.unacceptable(reason: "PROTOCOL_ERROR"), .rejected), (.inDoubt(reason: "x"), .unknown),
        (.notSent(reason: "x"), .notSent), (.unsendable(.notInCertificate), .notSent),
    ])
    func `has a verdict for each end`(
        result: PushReport.Result, verdict: SentResponse.Verdict
    ) throws {
        let sent = try sent(result).record
        #expect(sent.count(of: verdict) == 1)
        let json = String(decoding: sent.json(), as: UTF8.self)
        #expect(json.contains(#""verdict":"\#(verdict.rawValue)""#))
        #expect(json.contains(#""milliseconds":31"#))
        #expect(sent.isAccepted == (verdict == .accepted))
    }

    @Test func `counts each end, and shows what was dropped`() throws {
        var sent = try record("00ff", "xyz", "00fe")
        let text = sent.end(
            [
                PushReport(.responded(APNsResponse(status: 200)), milliseconds: 1),
                PushReport(.notSent(reason: "connection refused")),
            ], now: SendingHarness.now)
        #expect(text.hasSuffix("\n\n3 notifications: 1 accepted, 1 not sent, 1 dropped.\n"))
        #expect(text.contains("\n\ndropped: invalid_device_token\n"))
        #expect(text.contains("\n\nnot sent\nconnection refused\n\n"))
        #expect(!sent.isAccepted)
    }

    @Test func `shows each response when it arrives, and only once`() throws {
        var sent = try record("00ff", "xyz", "00fe")
        let accepted = PushReport(.responded(APNsResponse(status: 200)), milliseconds: 1)
        let now = SendingHarness.now
        let first = sent.add(accepted, toPush: 1, now: now)
        #expect(first.hasPrefix("POST /3/device/00fe\n"))
        #expect(first.hasSuffix("\n\n200 accepted after 1 ms\n\n"))
        let rest = sent.end([accepted, accepted], now: now)
        #expect(rest.hasPrefix("POST /3/device/00ff\n"))
        #expect(!rest.contains("/00fe"))
        #expect(rest.hasSuffix("\n\n3 notifications: 2 accepted, 1 dropped.\n"))
    }

    @Test func `lists the device tokens that an interruption left without a response`() throws {
        var sent = try record("00ff", "00fe", "00fd", "00fc")
        let accepted = PushReport(.responded(APNsResponse(status: 200)), milliseconds: 1)
        _ = sent.add(accepted, toPush: 0, now: SendingHarness.now)
        #expect(!sent.wasInterrupted)
        let rest = sent.end(
            [
                accepted, PushReport(.interrupted(wasSent: true), milliseconds: 9),
                PushReport(.interrupted(wasSent: false)),
                PushReport(.interrupted(wasSent: false)),
            ], now: SendingHarness.now)
        #expect(
            rest == """
                interrupted: no response, may have been delivered:
                  00fe

                interrupted: not sent:
                  00fd
                  00fc

                4 notifications: 1 accepted, 1 unknown, 2 not sent.

                """)
        #expect(sent.wasInterrupted)
        let json = String(decoding: sent.json(), as: UTF8.self)
        #expect(json.contains(#""detail":"interrupted""#))
        #expect(json.contains(#""verdict":"unknown""#))
    }
}
