import BridgeSamples
import Configuration
import Delivery
import Testing

@testable import Engine

@Suite struct `A field of an outcome` {
    @Test func `says which notification of its record a push was`() throws {
        let harness = try EngineHarness()
        harness.assign()
        harness.take(
            #"{"device_tokens":["aa","bb"],"payload":{"aps":{"alert":"Hi"}}}"#, offset: 0)
        for id in harness.sendAll() { harness.respond(id, 200) }
        let values = harness.settle().map(\.value)
        #expect(values[0].contains(#""index":0,"device_token":"aa""#))
        #expect(values[1].contains(#""index":1,"device_token":"bb""#))
    }

    @Test func `says which priority a push had`() throws {
        let harness = try EngineHarness()
        harness.assign()
        for (offset, priority) in [10, 5, 1, 10].enumerated() {
            harness.push(offset: Int64(offset), more: #","priority":\#(priority)"#)
        }
        for id in harness.sendAll() { harness.respond(id, 200) }
        harness.push(offset: 4, more: #","priority":7"#)
        let found = harness.settle().outcomes.map {
            $0.value.firstMatch(of: /"priority":([0-9a-z]+)/).map { String($0.1) }
        }
        #expect(found == ["10", "5", "1", "10", "null"])
    }

    @Test func `says when the first of several attempts was sent`() throws {
        let harness = try EngineHarness()
        harness.assign()
        harness.push(offset: 0)
        for _ in 0..<3 {
            try harness.sendAndRespond(503, "ServiceUnavailable")
            harness.pass(milliseconds: 60_000)
        }
        try harness.sendAndRespond(200)
        let value = try #require(harness.settle().first).value
        #expect(value.contains(#""first_sent_at":"2026-01-01T10:00:00.000Z","#))
        #expect(value.contains(#""sent_at":"2026-01-01T10:03:00.000Z","#))
        #expect(value.contains(#""decided_at":"2026-01-01T10:03:00.000Z","#))
    }

    @Test func `says when a push was given up, long after the last response`() throws {
        let harness = try EngineHarness()
        harness.assign()
        harness.push(offset: 0, more: #","ttl":"90s""#)
        try harness.sendAndRespond(503, "ServiceUnavailable")
        harness.respond(
            try #require(
                {
                    harness.pass(milliseconds: 1000)
                    return harness.send()
                }()), 503)
        harness.pass(milliseconds: 100_000)
        harness.send()
        let value = try #require(harness.settle().first).value
        #expect(
            value.contains(#""reason":"expired","detail":"it expired before it could be sent","#))
        #expect(value.contains(#""expiration":"2026-01-01T10:01:25.000Z""#))
        #expect(value.contains(#""answered_at":"2026-01-01T10:00:01.000Z","#))
        #expect(value.contains(#""decided_at":"2026-01-01T10:01:41.000Z","#))
    }

    @Test func `stays the same if Kafka rejects the outcome and it is written again`() throws {
        let harness = try EngineHarness()
        harness.assign()
        harness.take("no JSON", offset: 0)
        let first = try #require(harness.publish().outcomes.first)
        let failure = KafkaFailure(code: "X", detail: "x", isFatal: false)
        harness.engine.acknowledged(first.ticket, .failed(failure))
        harness.pass(milliseconds: 5000)
        #expect(harness.publish().outcomes.first?.value == first.value)
    }

    @Test func `says how large the payload was that was too large`() throws {
        let harness = try EngineHarness()
        harness.assign()
        let text = String(repeating: "x", count: 5000)
        harness.take(
            #"{"device_token":"aa","payload":{"aps":{"alert":"\#(text)"}}}"#, offset: 0)
        let value = try #require(harness.settle().outcomes.first).value
        #expect(value.contains(#""payload_bytes":5020,"truncated":false,"#))
        #expect(value.contains(#"alert takes 4096 bytes","#))
    }

    @Test func `has what led to a drop without a response`() throws {
        let harness = try EngineHarness()
        harness.assign()
        harness.push(offset: 0)
        harness.pass(milliseconds: 3_700_000)
        let all = harness.settle()
        let message = "APNs never responded before the push was given up"
        let value = try #require(all.outcomes.first).value
        #expect(value.contains(#""reason":"unreachable","detail":"\#(message)","#))
        #expect(all.deadLetters.first?.header("apns-bridge-detail") == message)
    }

    @Test func `has the key of the event only if so configured`() throws {
        for isConfigured in [false, true] {
            let harness = try EngineHarness { $0.results.containsEventKey = isConfigured }
            harness.assign()
            harness.take(Samples.event("aa"), offset: 0, key: #"customer "7""#)
            harness.take(Samples.event("bb"), offset: 1)
            for id in harness.sendAll() { harness.respond(id, 200) }
            let values = harness.settle().map(\.value)
            let key = isConfigured ? #""customer \"7\"""# : "null"
            #expect(values[0].contains(#""event_key":\#(key),"expiration""#))
            #expect(values[1].contains(#""event_key":null,"expiration""#))
        }
    }

    @Test func `has no key of the event that contains a hidden device token`() throws {
        let harness = try EngineHarness {
            $0.results.containsEventKey = true
            $0.results.deviceTokens = .omitted
        }
        harness.assign()
        harness.take(Samples.event("ab01cd"), offset: 0, key: "device-AB01CD")
        harness.take(Samples.event("ab01ce"), offset: 1, key: "customer-7")
        for id in harness.sendAll() { harness.respond(id, 200) }
        let outcomes = harness.settle()
        #expect(outcomes[0].value.contains(#""event_key":null,"#))
        #expect(outcomes[0].key == nil)
        #expect(outcomes[1].value.contains(#""event_key":"customer-7","#))
        #expect(outcomes[1].key == "customer-7")
    }
}
