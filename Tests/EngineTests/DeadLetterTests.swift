import BridgeSamples
import Configuration
import Delivery
import Foundation
import Testing

@testable import Engine

@Suite struct `A dead letter` {
    private func harness() throws -> EngineHarness {
        let harness = try EngineHarness()
        harness.assign(4)
        harness.take(
            Samples.event("ab01"), offset: 7, key: "k",
            headers: [("trace", [1, 2]), ("empty", nil), ("trace", [])], partition: 4)
        try harness.sendAndRespond(400, "BadDeviceToken")
        return harness
    }

    @Test func `keeps the key, value and headers of its record`() throws {
        let letter = try #require(harness().publish().deadLetters.first)
        #expect(letter.key == "k")
        #expect(letter.value == Samples.event("ab01"))
        #expect(letter.record.headers.prefix(3).map(\.name) == ["trace", "empty", "trace"])
        #expect(letter.record.headers.prefix(3).map(\.value) == [[1, 2], nil, []])
        #expect(letter.record.topic == "apns.dead-letter")
    }

    @Test func `keeps the bytes of a header's name that is not valid UTF-8`() throws {
        let names: [[UInt8]] = [
            [0xC3, 0x28], [0xFF, 0xFE], Array("é\u{1F600}".utf8), Array("\u{10FF41}".utf8),
            [0x61, 0xE2, 0x82],
        ]
        let harness = try EngineHarness()
        harness.assign(4)
        harness.take(
            Samples.event("ab01"), offset: 7,
            headers: names.map { (HeaderName.text($0), [1]) }, partition: 4)
        try harness.sendAndRespond(400, "BadDeviceToken")
        let letter = try #require(harness.publish().deadLetters.first)
        #expect(letter.record.headers.prefix(5).map { HeaderName.bytes($0.name) } == names)
    }

    @Test func `is counted once Kafka has it`() throws {
        let harness = try harness()
        let all = harness.publish()
        #expect(harness.engine.counters.deadLetters == 0)
        harness.store(all)
        #expect(harness.engine.counters.deadLetters == 1)
    }

    @Test func `names the reason and the position of its record`() throws {
        let harness = try harness()
        let all = harness.publish()
        let letter = try #require(all.deadLetters.first)
        let id = try Samples.member("apns_id", of: #require(all.outcomes.first).value)
        let found = letter.record.headers.dropFirst(3).map {
            ($0.name, $0.value.map { String(decoding: $0, as: UTF8.self) })
        }
        let expected: [(String, String?)] = [
            ("apns-bridge-reason", "BadDeviceToken"),
            ("apns-bridge-detail", "APNs responded 400 BadDeviceToken"),
            ("apns-bridge-connector", "orders"), ("apns-bridge-attempts", "1"),
            ("apns-bridge-apns-id", id), ("apns-bridge-index", "0"),
            ("apns-bridge-topic", "shop.orders"), ("apns-bridge-partition", "4"),
            ("apns-bridge-offset", "7"),
            ("apns-bridge-timestamp", String(EngineHarness.start - 5000)),
        ]
        #expect(found.map(\.0) == expected.map(\.0))
        #expect(found.map(\.1) == expected.map(\.1))
    }

    @Test func `that is too large has the size and SHA-256 of its value instead`() throws {
        let harness = try harness()
        let all = harness.publish()
        harness.engine.acknowledged(try #require(all.deadLetters.first).ticket, .tooLarge)
        let letter = try #require(harness.publish().first)
        #expect(letter.record.value == nil)
        #expect(letter.key == "k")
        #expect(letter.record.headers.first?.name == "trace")
        #expect(letter.header("apns-bridge-value-omitted") == String(Samples.event("ab01").count))
        #expect(letter.header("apns-bridge-value-sha256")?.count == 64)
        #expect(letter.header("apns-bridge-reason") == "BadDeviceToken")
    }

    @Test func `that is still too large has no key and no source headers`() throws {
        let harness = try harness()
        var letter = try #require(harness.publish().deadLetters.first)
        for _ in 0..<2 {
            harness.engine.acknowledged(letter.ticket, .tooLarge)
            letter = try #require(harness.publish().first)
        }
        #expect(letter.record.value == nil)
        #expect(letter.key == nil)
        #expect(letter.record.headers.allSatisfy { $0.name.hasPrefix("apns-bridge-") })
    }

    @Test func `that Kafka rejects even then is retried, and its offset not committed`() throws {
        let harness = try harness()
        var all = harness.publish()
        harness.store(all.outcomes)
        all = all.deadLetters
        for _ in 0..<3 {
            harness.engine.acknowledged(try #require(all.first).ticket, .tooLarge)
            all = harness.publish()
        }
        #expect(all.isEmpty)
        #expect(harness.next() == 7)
        #expect(harness.engine.notices.contains { $0.name == "refused" })
        harness.pass(milliseconds: 1000)
        #expect(harness.settle().count == 1)
        #expect(harness.next() == 8)
    }

    @Test func `that is too large does not remove the key from its outcome`() throws {
        let harness = try EngineHarness()
        harness.assign()
        harness.take("no JSON", offset: 0, key: "k")
        var all = harness.publish()
        harness.engine.acknowledged(try #require(all.deadLetters.first).ticket, .tooLarge)
        let failure = KafkaFailure(code: "X", detail: "x", isFatal: false)
        harness.engine.acknowledged(try #require(all.outcomes.first).ticket, .failed(failure))
        harness.pass(milliseconds: 1000)
        all = harness.publish()
        #expect(all.outcomes.first?.key == "k")
    }

    @Test(arguments: [ResultsSettings.DeviceTokenPrivacy.hashed, .omitted])
    func `shows no device token if outcomes must not`(
        privacy: ResultsSettings.DeviceTokenPrivacy
    ) throws {
        let token = "ab01" + String(repeating: "fb", count: 30)
        let harness = try EngineHarness { $0.results.deviceTokens = privacy }
        harness.assign()
        let bytes = [0xAB, 0x01] + [UInt8](repeating: 0xFB, count: 30)
        let base64 = Data(bytes).base64EncodedString()
        harness.take(
            Samples.event(token), offset: 7, key: token,
            headers: [
                ("traceparent", Array("00-1-2-01".utf8)), ("tenant", Array("acme".utf8)),
                ("to", Array("tokens: \(token.uppercased())".utf8)), ("raw", bytes),
                ("coded", [UInt8](base64.utf8)),
                ("url", [UInt8](base64.replacing("+", with: "-").replacing("/", with: "_").utf8)),
            ])
        try harness.sendAndRespond(400, "PayloadEmpty")
        let all = harness.publish()
        let letter = try #require(all.deadLetters.first)
        #expect(letter.record.value == nil && letter.record.key == nil)
        let names = letter.record.headers.map(\.name).filter { !$0.hasPrefix("apns-bridge-") }
        #expect(names == ["traceparent", "tenant"])
        #expect(
            letter.header("apns-bridge-value-omitted") == String(Samples.event(token).utf8.count))
        #expect(letter.header("apns-bridge-offset") == "7")
        for record in all {
            let texts = record.record.headers.compactMap(\.value) + [record.record.key ?? []]
            let text = texts.map { String(decoding: $0, as: UTF8.self) }.joined() + record.value
            #expect(!text.lowercased().contains(token))
        }
    }

    @Test(arguments: [(10, 10), (11, 1), (30, 1)])
    func `of a record with more than ten pushes has the value once`(
        count: Int, values: Int
    ) throws {
        let harness = try EngineHarness()
        harness.assign()
        let tokens = (10..<10 + count).map { "\"aa\($0)\"" }.joined(separator: ",")
        let event = #"{"device_tokens":[\#(tokens)],"payload":{"aps":{"alert":"Hi"}}}"#
        harness.take(event, offset: 3, key: "k", headers: [("tenant", Array("acme".utf8))])
        for id in harness.sendAll() { harness.respond(id, 400, "BadDeviceToken") }
        let letters = harness.settle().deadLetters
        #expect(letters.count == count)
        #expect(letters.first?.value == event)
        let others = letters.filter { $0.record.value == nil }
        #expect(others.count == count - values)
        for letter in others {
            #expect(
                letter.header("apns-bridge-value-elsewhere")
                    == letters.first?.header("apns-bridge-index"))
            #expect(letter.header("apns-bridge-value-omitted") == nil)
            #expect(letter.header("apns-bridge-offset") == "3")
            #expect(letter.key == "k" && letter.header("tenant") == "acme")
        }
        #expect(harness.next() == 4)
    }

    @Test func `of a record with several tokens keeps only its trace if they are hidden`() throws {
        let harness = try EngineHarness { $0.results.deviceTokens = .hashed }
        harness.assign()
        harness.take(
            #"{"device_tokens":["aa01","bb02"],"payload":{"aps":{"alert":"Hi"}}}"#, offset: 0,
            headers: [("traceparent", Array("00-1".utf8)), ("second", Array("bb02".utf8))])
        for id in harness.sendAll() { harness.respond(id, 400, "PayloadEmpty") }
        for letter in harness.settle().deadLetters {
            let names = letter.record.headers.map(\.name)
            #expect(names.filter { !$0.hasPrefix("apns-bridge-") } == ["traceparent"])
        }
    }

    @Test func `of an event that cannot be read shows neither key nor value`() throws {
        let harness = try EngineHarness { $0.results.deviceTokens = .omitted }
        harness.assign()
        harness.take("ab01 no JSON", offset: 0, key: "ab01", headers: [("h", Array("ab01".utf8))])
        let all = harness.settle()
        let letter = try #require(all.deadLetters.first)
        #expect(letter.key == nil && letter.record.value == nil && letter.header("h") == nil)
        #expect(letter.header("apns-bridge-reason") == "unparsable")
        #expect(all.outcomes.first?.key == nil)
    }

    @Test func `keeps its offset uncommitted until Kafka has stored it`() throws {
        let harness = try harness()
        let all = harness.publish()
        harness.store(all.outcomes)
        #expect(harness.next() == 7)
        harness.store(all.deadLetters)
        #expect(harness.next() == 8)
    }
}

@Suite struct `An outcome that is too large` {
    @Test func `is written without key and trace, so that its offset is committed`() throws {
        let harness = try EngineHarness()
        harness.assign()
        harness.take(
            Samples.event("ab01"), offset: 0, key: String(repeating: "k", count: 1000),
            headers: [("traceparent", Array(repeating: 0x30, count: 1000))])
        try harness.sendAndRespond(200)
        let first = try #require(harness.publish().first)
        #expect(first.key?.count == 1000)
        harness.engine.acknowledged(first.ticket, .tooLarge)
        let second = try #require(harness.publish().first)
        #expect(second.key == nil)
        #expect(second.header("traceparent") == nil)
        #expect(second.value == first.value)
        harness.store([second])
        #expect(harness.next() == 1)
    }

    @Test func `is written without its device token if that is too large`() throws {
        let harness = try EngineHarness()
        harness.assign()
        harness.push(String(repeating: "ab", count: 5000), offset: 0)
        try harness.sendAndRespond(400, "UnsendableField")
        let first = try #require(harness.publish().outcomes.first)
        harness.engine.acknowledged(first.ticket, .tooLarge)
        let second = try #require(harness.publish().first)
        #expect(second.value.utf8.count < 1000)
        #expect(try Samples.member("device_token", of: second.value) == nil)
        #expect(try Samples.member("push_type", of: second.value) == "alert")
    }
}
