import BridgeSamples
import Configuration
import Delivery
import Testing

@testable import Engine

@Suite struct `An outcome` {
    /// The text of an outcome, with "ID" in push of its `apns_id`.
    private func text(_ published: EngineHarness.Published?) throws -> String {
        let value = try #require(published).value
        let id = try #require(try Samples.member("apns_id", of: value))
        return value.replacing(id, with: "ID")
    }

    @Test func `of an accepted push has exactly these bytes`() throws {
        let harness = try EngineHarness()
        harness.assign()
        harness.push(
            offset: 7, more: #","collapse_id":"order-7","event_time":"2026-01-01T09:59:58.500Z""#)
        let push = try #require(harness.send())
        harness.pass(milliseconds: 120)
        harness.respond(push, 200)
        let published = harness.settle()
        #expect(published.count == 1)
        #expect(
            try text(published.first)
                == #"{"type":"apns-bridge.outcome.v1","#
                + #""verdict":"accepted","reason":null,"detail":null,"suspect":false,"#
                + #""last_status":null,"last_reason":null,"status":200,"apns_id":"ID","#
                + #""apns_unique_id":null,"index":0,"device_token":"ab01","#
                + #""channel_id":null,"#
                + #""bundle_id":"com.example.shop","push_type":"alert","priority":10,"#
                + #""environment":"production","collapse_id":"order-7","connector":"orders","#
                + #""connector_digest":null,"attempts":1,"event_time":"2026-01-01T09:59:58.500Z","#
                + #""first_sent_at":"2026-01-01T10:00:00.000Z","#
                + #""sent_at":"2026-01-01T10:00:00.000Z","#
                + #""answered_at":"2026-01-01T10:00:00.120Z","#
                + #""decided_at":"2026-01-01T10:00:00.120Z","payload_bytes":22,"#
                + #""truncated":false,"labels":null,"event_key":null,"#
                + #""expiration":null,"replays":0,"superseded_by":null,"#
                + #""source":{"topic":"shop.orders","partition":0,"offset":7,"#
                + #""timestamp":"2026-01-01T09:59:55.000Z"}}"#)
    }

    @Test func `of a rejected push has exactly these bytes`() throws {
        let harness = try EngineHarness()
        harness.assign()
        harness.push(offset: 7)
        try harness.sendAndRespond(400, "BadDeviceToken")
        #expect(
            try text(harness.settle().outcomes.first)
                == #"{"type":"apns-bridge.outcome.v1","#
                + #""verdict":"rejected","reason":"BadDeviceToken","detail":null,"#
                + #""suspect":true,"last_status":null,"last_reason":null,"status":400,"#
                + #""apns_id":"ID","apns_unique_id":null,"index":0,"device_token":"ab01","#
                + #""channel_id":null,"#
                + #""bundle_id":"com.example.shop","push_type":"alert","priority":10,"#
                + #""environment":"production","collapse_id":null,"connector":"orders","#
                + #""connector_digest":null,"attempts":1,"event_time":"2026-01-01T09:59:55.000Z","#
                + #""first_sent_at":"2026-01-01T10:00:00.000Z","#
                + #""sent_at":"2026-01-01T10:00:00.000Z","#
                + #""answered_at":"2026-01-01T10:00:00.000Z","#
                + #""decided_at":"2026-01-01T10:00:00.000Z","payload_bytes":22,"#
                + #""truncated":false,"labels":null,"event_key":null,"#
                + #""expiration":null,"replays":0,"superseded_by":null,"#
                + #""source":{"topic":"shop.orders","partition":0,"offset":7,"#
                + #""timestamp":"2026-01-01T09:59:55.000Z"}}"#)
    }

    @Test func `of a dropped record has exactly these bytes`() throws {
        let harness = try EngineHarness()
        harness.assign()
        harness.take("no JSON", offset: 7)
        let wrong = "expected a value"
        #expect(
            try text(harness.settle().outcomes.first)
                == #"{"type":"apns-bridge.outcome.v1","#
                + #""verdict":"dropped","reason":"unparsable","#
                + #""detail":"orders.yaml: the value is not valid JSON: \#(wrong)","#
                + #""suspect":false,"last_status":null,"last_reason":null,"status":null,"#
                + #""apns_id":"ID","apns_unique_id":null,"index":0,"device_token":null,"#
                + #""channel_id":null,"#
                + #""bundle_id":"com.example.shop","push_type":null,"priority":null,"#
                + #""environment":"production","collapse_id":null,"connector":"orders","#
                + #""connector_digest":null,"attempts":0,"event_time":"2026-01-01T09:59:55.000Z","#
                + #""first_sent_at":null,"sent_at":null,"answered_at":null,"#
                + #""decided_at":"2026-01-01T10:00:00.000Z","payload_bytes":null,"#
                + #""truncated":false,"labels":null,"event_key":null,"#
                + #""expiration":null,"replays":0,"superseded_by":null,"#
                + #""source":{"topic":"shop.orders","partition":0,"offset":7,"#
                + #""timestamp":"2026-01-01T09:59:55.000Z"}}"#)
    }

    @Test func `of a push in doubt has exactly these bytes`() throws {
        let harness = try EngineHarness()
        harness.assign()
        harness.push(offset: 7)
        try harness.sendAndRespond(503, "ServiceUnavailable")
        harness.pass(milliseconds: 1000)
        harness.engine.inDoubt(try #require(harness.send()), reason: "the connection was closed")
        let published = harness.settle()
        #expect(published.deadLetters.isEmpty)
        #expect(
            try text(published.first)
                == #"{"type":"apns-bridge.outcome.v1","#
                + #""verdict":"unknown","reason":"the connection was closed","#
                + #""detail":null,"suspect":false,"last_status":503,"#
                + #""last_reason":"ServiceUnavailable","status":null,"#
                + #""apns_id":"ID","apns_unique_id":null,"index":0,"device_token":"ab01","#
                + #""channel_id":null,"#
                + #""bundle_id":"com.example.shop","push_type":"alert","priority":10,"#
                + #""environment":"production","collapse_id":null,"connector":"orders","#
                + #""connector_digest":null,"attempts":2,"event_time":"2026-01-01T09:59:55.000Z","#
                + #""first_sent_at":"2026-01-01T10:00:00.000Z","#
                + #""sent_at":"2026-01-01T10:00:01.000Z","#
                + #""answered_at":"2026-01-01T10:00:00.000Z","#
                + #""decided_at":"2026-01-01T10:00:01.000Z","payload_bytes":22,"#
                + #""truncated":false,"labels":null,"event_key":null,"#
                + #""expiration":null,"replays":0,"superseded_by":null,"#
                + #""source":{"topic":"shop.orders","partition":0,"offset":7,"#
                + #""timestamp":"2026-01-01T09:59:55.000Z"}}"#)
    }

    @Test func `has no headers but those of the trace`() throws {
        let harness = try EngineHarness()
        harness.assign()
        harness.take(Samples.event("ab01"), offset: 0)
        harness.take(
            Samples.event("ab02"), offset: 1,
            headers: [("traceparent", Array("00-1-2-01".utf8)), ("other", [1])])
        for id in harness.sendAll() { harness.respond(id, 200) }
        let headers = harness.settle().outcomes.map { $0.record.headers.map(\.name) }
        #expect(headers == [[], ["traceparent"]])
    }

    @Test func `is the data of a CloudEvent in structured mode if so configured`() throws {
        let harness = try EngineHarness { $0.results.cloudEvents = .structured }
        harness.assign()
        harness.push(offset: 7)
        try harness.sendAndRespond(200)
        let outcome = try #require(harness.settle().first)
        let id = try #require(outcome.value.firstMatch(of: /"apns_id":"([^"]*)"/)?.1)
        #expect(
            outcome.value.hasPrefix(
                #"{"specversion":"1.0","id":"\#(id)","type":"apns-bridge.outcome.v1","#
                    + #""source":"/connectors/orders","time":"2026-01-01T10:00:00.000Z","#
                    + #""datacontenttype":"application/json","#
                    + #""data":{"type":"apns-bridge.outcome.v1","verdict":"accepted","#))
        #expect(outcome.value.hasSuffix(#"09:59:55.000Z"}}}"#))
        #expect(outcome.record.headers.map(\.name) == ["content-type"])
    }

    @Test func `is written to the partition with the number of its source's`() throws {
        let harness = try EngineHarness()
        harness.engine.setPartitionCount(4, of: "shop.orders")
        harness.engine.setPartitionCount(4, of: "apns.outcomes")
        let id = harness.assign(3)
        harness.take(Samples.event("ab01"), offset: 0, of: id, partition: 3)
        try harness.sendAndRespond(410, "Unregistered")
        let all = harness.settle()
        #expect(all.outcomes.map(\.record.partition) == [3])
        #expect(all.unregistered.map(\.record.partition) == [nil])
    }

    @Test(arguments: [(nil, 4), (4, nil), (4, 3)] as [(Int?, Int?)])
    func `is written to the partition of its key if counts are unknown or differ`(
        sources: Int?, outcomes: Int?
    ) throws {
        let harness = try EngineHarness()
        harness.engine.setPartitionCount(sources, of: "shop.orders")
        harness.engine.setPartitionCount(outcomes, of: "apns.outcomes")
        harness.assign()
        harness.push(offset: 0)
        try harness.sendAndRespond(200)
        #expect(harness.settle().outcomes.map(\.record.partition) == [nil])
    }

    @Test func `has the headers of a CloudEvent in binary mode if so configured`() throws {
        let harness = try EngineHarness { $0.results.cloudEvents = .binary }
        harness.assign()
        harness.take(
            Samples.event("ab01"), offset: 7,
            headers: [("traceparent", Array("00-1-2-01".utf8)), ("other", [1])])
        let push = try #require(harness.send())
        harness.pass(milliseconds: 5)
        harness.respond(push, 200)
        let outcome = try #require(harness.settle().first)
        #expect(
            outcome.record.headers.map(\.name) == [
                "content-type", "ce_specversion", "ce_id", "ce_type", "ce_source", "ce_time",
                "traceparent",
            ])
        #expect(outcome.header("content-type") == "application/json")
        #expect(outcome.header("ce_specversion") == "1.0")
        let id = try Samples.member("apns_id", of: outcome.value)
        #expect(id != nil)
        #expect(outcome.header("ce_id") == id)
        #expect(outcome.header("ce_type") == "apns-bridge.outcome.v1")
        #expect(outcome.header("ce_source") == "/connectors/orders")
        #expect(outcome.header("ce_time") == "2026-01-01T10:00:00.005Z")
        #expect(outcome.header("traceparent") == "00-1-2-01")
        #expect(outcome.record.topic == "apns.outcomes")
    }

    @Test func `has the trace headers of its record and of its CloudEvent`() throws {
        let trace = ["traceparent", "tracestate", "ce_traceparent", "ce_tracestate"]
        let harness = try EngineHarness()
        harness.assign()
        harness.take(
            Samples.event("ab01"), offset: 7, headers: trace.map { ($0, Array("of \($0)".utf8)) })
        try harness.sendAndRespond(200)
        let outcome = try #require(harness.settle().first)
        for name in trace { #expect(outcome.header(name) == "of \(name)") }
        #expect(outcome.record.headers.count == 4)
    }

    @Test func `is keyed by the key of its record, or else by the device token`() throws {
        let harness = try EngineHarness()
        harness.assign()
        harness.take(Samples.event("ab01"), offset: 0, key: "customer-1")
        harness.take(Samples.event("AB02"), offset: 1)
        for push in harness.sendAll() { harness.respond(push, 200) }
        #expect(harness.settle().map(\.key) == ["customer-1", "ab02"])
    }

    @Test func `contains no device token if tokens are omitted`() throws {
        let harness = try EngineHarness { $0.results.deviceTokens = .omitted }
        harness.assign()
        harness.push("ab01", offset: 0)
        try harness.sendAndRespond(200)
        let outcome = try #require(harness.settle().first)
        #expect(outcome.key == nil)
        #expect(try Samples.member("device_token", of: outcome.value) == nil)
        #expect(!outcome.value.contains("ab01"))
    }

    @Test func `contains the SHA-256 of the device token if tokens are hashed`() throws {
        let harness = try EngineHarness { $0.results.deviceTokens = .hashed }
        harness.assign()
        harness.push("ab01", offset: 0)
        try harness.sendAndRespond(200)
        let outcome = try #require(harness.settle().first)
        let hash = "cac7a9a6bae53a734ddcab67424d675bb0a81ec3ff07e6c8c64affff5a977d67"
        #expect(try Samples.member("device_token", of: outcome.value) == hash)
        #expect(outcome.key == hash)
        #expect(!outcome.value.contains("ab01"))
    }

    @Test func `has the apns-id of its event`() throws {
        let harness = try EngineHarness()
        harness.assign()
        let own = "7f1a9f5e-2c3d-4b5a-8e6f-0123456789ab"
        harness.push(offset: 0, more: #","apns_id":"\#(own)""#)
        try harness.sendAndRespond(200)
        #expect(try Samples.member("apns_id", of: #require(harness.settle().first).value) == own)
    }

    @Test func `has an apns-id derived from its event's if there can be several pushes`() throws {
        let harness = try EngineHarness()
        harness.assign()
        let own = "7f1a9f5e-2c3d-4b5a-8e6f-0123456789ab"
        let rest = #""apns_id":"\#(own)","payload":{"aps":{"badge":1}}"#
        harness.take(#"{"device_tokens":["aa01",null,"bb02"],\#(rest)}"#, offset: 0)
        harness.take(#"{"device_tokens":["cc03"],\#(rest)}"#, offset: 1)
        for _ in 0..<3 { try harness.sendAndRespond(200) }
        let identifier = try #require(NotificationID(own.utf8))
        let expected =
            [0, 2].map { NotificationName.identifier(of: identifier, index: $0).description }
            + [own]
        let found = try harness.settle().map { try Samples.member("apns_id", of: $0.value) }
        #expect(found == expected)
    }

    @Test func `has the same apns-id if its record is read again`() throws {
        var seen: Set<String?> = []
        for _ in 0..<2 {
            let harness = try EngineHarness()
            harness.assign()
            harness.push(offset: 7)
            try harness.sendAndRespond(200)
            seen.insert(try Samples.member("apns_id", of: #require(harness.settle().first).value))
        }
        let name = NotificationName.self
        let names = name.init(
            clusterID: "K1", group: "apns-orders",
            topicPartition: TopicPartition(topic: "shop.orders", partition: 0))
        #expect(seen == [names.identifier(offset: 7, index: 0).description])
    }
}
