import APNs
import BridgeSamples
import Configuration
import Delivery
import Testing

@testable import Engine

/// Events whose `devices` each get a push.
@Suite struct `The elements of a list` {
    private static func event(_ devices: [String]) -> String {
        #"{"list":true,"devices":[\#(devices.joined(separator: ","))]}"#
    }

    private static func device(_ token: String, _ badge: Int = 1) -> String {
        #"{"token":"\#(token)","badge":\#(badge)}"#
    }

    private func harness(
        tweak: (inout EngineSettings) -> Void = { _ in }
    ) throws -> EngineHarness {
        let harness = try EngineHarness(plan: try Samples.elementsPlan(), tweak: tweak)
        harness.assign()
        return harness
    }

    /// The apns-ids in outcomes, by index.
    private func identifiers(_ outcomes: [EngineHarness.Published]) throws -> [String] {
        try outcomes.compactMap { try Samples.member("apns_id", of: $0.value) }.sorted()
    }

    @Test func `have the same apns-ids when their record is read again, whatever is skipped`()
        throws
    {
        let devices = [Self.device("aa"), #"{"off":true}"#, Self.device("bb"), "7"]
        var found: [[String]] = []
        for _ in 0..<2 {
            let harness = try harness()
            harness.take(Self.event(devices), offset: 1)
            for id in harness.sendAll() { harness.respond(id, 200) }
            found.append(try identifiers(harness.settle().outcomes))
        }
        #expect(found[0].count == 3)
        #expect(found[0] == found[1])
    }

    @Test func `keep their apns-id on the way through the retry topic`() throws {
        let writer = try harness {
            $0.results.retry = "apns.retry"
            $0.maxWaiting = 1
        }
        writer.take(Self.event([Self.device("ff")]), offset: 0)
        writer.respond(try #require(writer.send()), 503, "ServiceUnavailable", retryAfter: 300)
        let devices = [#"{"off":true}"#, Self.device("aa"), Self.device("bb", 2)]
        writer.take(Self.event(devices), offset: 1)
        let sent = writer.sendAll()
        let (id, payload) = (writer.apnsID(sent[1]), writer.prepared(sent[1]).payload)
        writer.respond(sent[1], 503, "ServiceUnavailable", retryAfter: 10)
        writer.respond(sent[0], 200)
        _ = writer.settle()
        let retry = try #require(writer.settle().retries.first ?? writer.publish().retries.first)
        #expect(retry.header("apns-bridge-retry-index") == "2")

        let reader = try harness { $0.results.retry = "apns.retry" }
        let partition = reader.assignRetry()
        reader.takeBack(retry.record, offset: 5, of: partition)
        reader.pass(milliseconds: 11_000)
        let again = reader.sendAll()
        #expect(again.count == 1)
        #expect(reader.apnsID(again[0]) == id)
        #expect(reader.prepared(again[0]).payload == payload)
        #expect(reader.prepared(again[0]).index == 2)
    }

    @Test func `wait for an earlier push to their device if ordered by device`() throws {
        let harness = try harness { $0.ordering = .device }
        harness.take(Self.event([Self.device("aa"), Self.device("bb")]), offset: 1)
        harness.take(Self.event([Self.device("bb", 2), Self.device("cc")]), offset: 2)
        let first = harness.sendAll()
        // The one to bb of the second record waits for that of the first.
        #expect(first.count == 3)
        for id in first { harness.respond(id, 200) }
        #expect(harness.sendAll().count == 1)
    }

    @Test func `at fault have outcomes of their own, and the others are sent`() throws {
        let harness = try harness()
        harness.take(Self.event(["null", Self.device("aa"), #"{"badge":1}"#]), offset: 1)
        let sent = harness.sendAll()
        #expect(sent.count == 1)
        for id in sent { harness.respond(id, 200) }
        let all = harness.settle()
        let reasons = try all.outcomes.compactMap { try Samples.member("reason", of: $0.value) }
        #expect(reasons.sorted() == ["missing_field", "wrong_type"])
        #expect(all.filter { $0.ticket.kind == .deadLetter }.count == 2)
        #expect(harness.next() == 2)
    }

    @Test func `are none in an empty list, which has an outcome and no dead letter`() throws {
        let harness = try harness()
        harness.take(Self.event([]), offset: 1)
        let all = harness.settle()
        #expect(all.count == 1)
        #expect(try Samples.member("reason", of: all[0].value) == "no_devices")
        #expect(harness.next() == 2)
    }

    @Test func `are as many as a record may have`() throws {
        let harness = try harness {
            $0.maxInFlight = 10
            $0.maxInFlightBytes = 1 << 30
        }
        let devices = (0..<1000).map { Self.device("ab\(100_000 + $0)", $0) }
        harness.take(Self.event(devices), offset: 1)
        #expect(harness.engine.openPushes == 1000)
        for id in harness.sendAll() { harness.respond(id, 200) }
        let outcomes = harness.settle().outcomes
        #expect(Set(try identifiers(outcomes)).count == 1000)
        #expect(harness.openRecords == 0)
    }
}
