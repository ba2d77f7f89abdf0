import BridgeSamples
import Delivery
import Testing

@testable import Engine

@Suite struct `What an outcome says for analysts` {
    private func outcome(
        _ harness: EngineHarness, _ respond: (EngineHarness) throws -> Void
    ) throws -> String {
        try respond(harness)
        return try #require(harness.settle().outcomes.first).value
    }

    @Test func `names the last response before a push was accepted`() throws {
        let harness = try EngineHarness()
        harness.assign()
        harness.push(offset: 0)
        let value = try outcome(harness) {
            try $0.sendAndRespond(429, "TooManyRequests")
            $0.pass(milliseconds: 60_000)
            try $0.sendAndRespond(200)
        }
        #expect(value.contains(#""verdict":"accepted","reason":null,"detail":null,"#))
        #expect(
            value.contains(#""last_status":429,"last_reason":"TooManyRequests","status":200,"#))
    }

    @Test func `has the digest of the connector and the expiration of the push`() throws {
        let harness = try EngineHarness { $0.connectorDigest = "a1B2" }
        harness.assign()
        harness.push(offset: 0, more: #","ttl":"1m""#)
        let value = try outcome(harness) { try $0.sendAndRespond(200) }
        #expect(value.contains(#""connector":"orders","connector_digest":"a1B2","attempts":1,"#))
        #expect(value.contains(#""expiration":"2026-01-01T10:00:55.000Z","replays":0,"#))
    }

    @Test func `says how often its event was replayed, if that is not forged`() throws {
        let header = (name: "apns-bridge-replays", value: [UInt8]("2".utf8) as [UInt8]?)
        let harness = try EngineHarness()
        harness.assign()
        harness.take(Samples.event("ab01"), offset: 0, headers: [(header.name, header.value)])
        let value = try outcome(harness) { try $0.sendAndRespond(200) }
        #expect(value.contains(#""replays":0,"#), "an event without a seal")
    }

    @Test(arguments: [
        ("not JSON", "not JSON!"), (#"{"a":1,}"#, #"{"a":12345,}"#),
    ])
    func `can be grouped by its detail`(first: String, second: String) throws {
        let harness = try EngineHarness()
        harness.assign()
        harness.take(first, offset: 0)
        harness.take(second, offset: 1)
        let details = harness.settle().outcomes.map {
            $0.value.firstMatch(of: /"detail":"([^"]*)"/).map { String($0.1) }
        }
        #expect(details.count == 2 && details[0] != nil && details[0] == details[1])
    }

    @Test func `keeps in the dead letter what is different in each event`() throws {
        let harness = try EngineHarness()
        harness.assign()
        harness.take(#"{"a":1,}"#, offset: 0)
        let letter = try #require(harness.settle().deadLetters.first)
        #expect(letter.header("apns-bridge-detail")?.contains(" at byte ") == true)
    }
}
