import BridgeSamples
import Delivery
import Testing

@testable import Engine

@Suite struct `An unregistered record` {
    private func published(
        _ status: Int, _ reason: String, timestamp: Int64? = nil
    ) throws -> [EngineHarness.Published] {
        let harness = try EngineHarness()
        harness.assign()
        harness.push("AB01", offset: 0)
        try harness.sendAndRespond(status, reason, timestamp: timestamp)
        return harness.settle()
    }

    @Test(
        arguments: [
            (400, "BadDeviceToken"), (400, "DeviceTokenNotForTopic"), (403, "InvalidProviderToken"),
            (413, "PayloadTooLarge"), (404, "BadPath"), (503, "ServiceUnavailable"), (200, ""),
        ])
    func `is written only for status 410`(status: Int, reason: String) throws {
        #expect(try published(status, reason).unregistered.isEmpty)
    }

    @Test func `is keyed by bundle identifier and device token`() throws {
        let record = try #require(published(410, "Unregistered", timestamp: 1).unregistered.first)
        #expect(record.key == "com.example.shop/ab01")
        #expect(record.record.topic == "apns.unregistered")
    }

    @Test func `has exactly these bytes, with the timestamp from APNs`() throws {
        let record = try #require(
            published(410, "Unregistered", timestamp: 1_767_000_000_123).unregistered.first)
        let id = try #require(record.value.firstMatch(of: /"apns_id":"([0-9a-f-]{36})"/)?.1)
        #expect(
            record.value
                == #"{"type":"apns-bridge.unregistered.v1","device_token":"ab01","#
                + #""bundle_id":"com.example.shop","#
                + #""push_type":"alert","environment":"production","reason":"Unregistered","#
                + #""timestamp":1767000000123,"unregistered_at":"2025-12-29T09:20:00.123Z","#
                + #""decided_at":"2026-01-01T10:00:00.000Z","apns_id":"\#(id)","index":0,"#
                + #""connector":"orders","labels":null,"#
                + #""source":{"topic":"shop.orders","partition":0,"offset":0}}"#)
    }

    @Test func `has no timestamp if APNs gave none`() throws {
        let record = try #require(published(410, "ExpiredToken").unregistered.first)
        #expect(
            record.value.contains(
                #""reason":"ExpiredToken","timestamp":null,"unregistered_at":null,"#))
    }

    @Test func `is written along with an outcome, without a dead letter`() throws {
        let all = try published(410, "Unregistered")
        #expect(all.count == 2)
        #expect(all.deadLetters.isEmpty)
        let outcome = try #require(all.outcomes.first)
        #expect(try Samples.member("verdict", of: outcome.value) == "rejected")
        #expect(outcome.value.contains(#""suspect":false"#))
    }

    @Test func `keeps its offset uncommitted until Kafka has stored it`() throws {
        let harness = try EngineHarness()
        harness.assign()
        harness.push(offset: 0)
        try harness.sendAndRespond(410, "Unregistered")
        let all = harness.publish()
        harness.store(all.outcomes)
        #expect(harness.next() == 0)
        harness.store(all.unregistered)
        #expect(harness.next() == 1)
    }
}
