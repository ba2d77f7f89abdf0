import BridgeSamples
import Delivery
import Testing

@testable import Engine

@Suite struct `An apns-bridge header in a source record` {
    private let headers: [ResultRecord.Header] = [
        ("apns-bridge-retry-in-doubt", Array("lost".utf8)), ("traceparent", Array("00-1".utf8)),
    ]

    @Test func `is not trusted, and is not copied to the retry topic`() throws {
        let harness = try retryHarness { _ in }
        harness.take(Samples.event("aa"), offset: 1, headers: headers)
        harness.respond(try #require(harness.send()), 503, "ServiceUnavailable", retryAfter: 10)
        let retry = try #require(harness.publish().retries.first)
        #expect(retry.header("apns-bridge-retry-in-doubt") == nil)
        #expect(retry.header("traceparent") == "00-1")
    }

    @Test func `is not copied to a dead letter`() throws {
        let harness = try EngineHarness()
        harness.assign()
        harness.take(Samples.event("aa"), offset: 0, headers: headers)
        try harness.sendAndRespond(400, "BadDeviceToken")
        let letter = try #require(harness.settle().deadLetters.first)
        #expect(letter.header("apns-bridge-retry-in-doubt") == nil)
        #expect(letter.header("traceparent") == "00-1")
    }

    @Test func `is replaced if it comes from an earlier dead letter`() throws {
        let harness = try EngineHarness()
        harness.assign()
        let earlier: ResultRecord.Header = ("apns-bridge-reason", Array("Unregistered".utf8))
        harness.take(Samples.event("aa"), offset: 0, headers: [earlier] + headers)
        try harness.sendAndRespond(400, "BadDeviceToken")
        let letter = try #require(harness.settle().deadLetters.first)
        let reasons = letter.record.headers.filter { $0.name == "apns-bridge-reason" }
        #expect(reasons.map(\.value) == [Array("BadDeviceToken".utf8)])
    }

    @Test func `is kept in the retry topic if it is not about retries`() throws {
        let harness = try retryHarness { _ in }
        let reason: ResultRecord.Header = ("apns-bridge-reason", Array("expired".utf8))
        harness.take(Samples.event("aa"), offset: 1, headers: [reason])
        harness.respond(try #require(harness.send()), 503, "ServiceUnavailable", retryAfter: 10)
        let retry = try #require(harness.publish().retries.first)
        #expect(retry.header("apns-bridge-reason") == "expired")
    }
}
