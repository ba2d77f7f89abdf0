import BridgeSamples
import Delivery
import Testing

@testable import Engine

@Suite struct `An apns-bridge header in a source record` {
    private let headers: [ResultRecord.Header] = [
        ("apns-bridge-retry-in-doubt", Array("lost".utf8)), ("traceparent", Array("00-1".utf8)),
    ]

    @Test func `is not trusted, and is not copied to the retry topic`() throws {
        let desk = try retryDesk { _ in }
        desk.take(Samples.event("aa"), offset: 1, headers: headers)
        desk.answer(try #require(desk.send()), 503, "ServiceUnavailable", retryAfter: 10)
        let retry = try #require(desk.publish().retries.first)
        #expect(retry.header("apns-bridge-retry-in-doubt") == nil)
        #expect(retry.header("traceparent") == "00-1")
    }

    @Test func `is not copied to a dead letter`() throws {
        let desk = try EngineDesk()
        desk.assign()
        desk.take(Samples.event("aa"), offset: 0, headers: headers)
        try desk.sendAndAnswer(400, "BadDeviceToken")
        let letter = try #require(desk.settle().deadLetters.first)
        #expect(letter.header("apns-bridge-retry-in-doubt") == nil)
        #expect(letter.header("traceparent") == "00-1")
    }

    @Test func `is replaced if it comes from an earlier dead letter`() throws {
        let desk = try EngineDesk()
        desk.assign()
        let earlier: ResultRecord.Header = ("apns-bridge-reason", Array("Unregistered".utf8))
        desk.take(Samples.event("aa"), offset: 0, headers: [earlier] + headers)
        try desk.sendAndAnswer(400, "BadDeviceToken")
        let letter = try #require(desk.settle().deadLetters.first)
        let reasons = letter.record.headers.filter { $0.name == "apns-bridge-reason" }
        #expect(reasons.map(\.value) == [Array("BadDeviceToken".utf8)])
    }

    @Test func `is kept in the retry topic if it is not about retries`() throws {
        let desk = try retryDesk { _ in }
        let reason: ResultRecord.Header = ("apns-bridge-reason", Array("expired".utf8))
        desk.take(Samples.event("aa"), offset: 1, headers: [reason])
        desk.answer(try #require(desk.send()), 503, "ServiceUnavailable", retryAfter: 10)
        let retry = try #require(desk.publish().retries.first)
        #expect(retry.header("apns-bridge-reason") == "expired")
    }
}
