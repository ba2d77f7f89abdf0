import BridgeSamples
import Configuration
import Delivery
import Testing

@testable import Engine

@Suite struct `A record that cannot be sent` {
    @Test(
        arguments: [
            (nil, "tombstone"), ("", "unparsable"), ("{", "unparsable"), ("[1]", "missing_field"),
            ("{}", "missing_field"),
            (
                #"{"device_token":"xyz","payload":{"aps":{"badge":1}}}"#,
                "invalid_device_token"
            ),
            (
                #"{"device_token":"abc","payload":{"aps":{"badge":1}}}"#,
                "invalid_device_token"
            ),
            (
                #"{"device_token":"ab01","push_type":"loud","payload":{"aps":{"badge":1}}}"#,
                "invalid_push_type"
            ),
            (
                #"{"device_token":"ab01","priority":7,"payload":{"aps":{"badge":1}}}"#,
                "invalid_priority"
            ),
            (
                #"{"device_token":"ab01","apns_id":"1","payload":{"aps":{"badge":1}}}"#,
                "invalid_apns_id"
            ),
        ] as [(String?, String)])
    func `is dropped with a reason and a dead letter`(value: String?, reason: String) throws {
        let harness = try EngineHarness()
        harness.assign()
        harness.take(value, offset: 0)
        #expect(harness.send() == nil)
        let published = harness.settle()
        let outcome = try #require(published.outcomes.first)
        #expect(try Samples.member("verdict", of: outcome.value) == "dropped")
        #expect(try Samples.member("reason", of: outcome.value) == reason)
        let letter = try #require(published.deadLetters.first)
        #expect(letter.header("apns-bridge-reason") == reason)
        #expect(letter.record.value == value.map { Array($0.utf8) })
        #expect(published.count == 2)
        #expect(harness.next() == 1)
    }

    @Test func `is dropped if it is too large, with its bytes in the dead letter`() throws {
        let harness = try EngineHarness()
        harness.assign()
        let value = String(repeating: " ", count: 5 << 20)
        harness.take(value, offset: 0)
        let published = harness.settle()
        let outcome = try #require(published.outcomes.first)
        #expect(try Samples.member("reason", of: outcome.value) == "record_too_large")
        #expect(published.deadLetters.first?.record.value?.count == 5 << 20)
        #expect(harness.next() == 1)
    }

    @Test func `is dropped without a dead letter if it has expired`() throws {
        let harness = try EngineHarness()
        harness.assign()
        harness.push(offset: 0, more: #","expiration":\#(EngineHarness.start / 1000 - 1)"#)
        #expect(harness.send() == nil)
        let published = harness.settle()
        #expect(published.count == 1)
        let outcome = try #require(published.first)
        #expect(try Samples.member("reason", of: outcome.value) == "expired")
        #expect(try Samples.member("last_status", of: outcome.value) == nil)
        #expect(harness.next() == 1)
    }

    @Test func `because of one invalid token is still sent to its other devices`() throws {
        let harness = try EngineHarness()
        harness.assign()
        harness.take(
            #"{"device_tokens":["ab01","xx","ab01","cd02"],"payload":{"aps":{"badge":1}}}"#,
            offset: 0)
        #expect(harness.sendAll().map(harness.token) == ["ab01", "cd02"])
        let dropped = harness.settle()
        #expect(
            try dropped.outcomes.map { try Samples.member("reason", of: $0.value) }
                == ["invalid_device_token", "duplicate"])
        #expect(dropped.deadLetters.count == 1)
        #expect(dropped.deadLetters.first?.header("apns-bridge-index") == "1")
        #expect(harness.next() == 0)
    }

    @Test func `does not stop later records`() throws {
        let harness = try EngineHarness()
        harness.assign()
        harness.take("no JSON", offset: 0)
        harness.push(offset: 1)
        #expect(harness.sendAll().count == 1)
    }
}

@Suite struct `A record without a timestamp` {
    private func take(_ more: String, timestamp: Int64?) throws -> EngineCounters {
        let harness = try EngineHarness()
        harness.assign()
        harness.engine.take(
            Record.owning(
                assignment: AssignmentID(0),
                topicPartition: TopicPartition(topic: "shop.orders", partition: 0), offset: 0,
                timestamp: timestamp, value: Array(Samples.event("ab01", more: more).utf8)))
        return harness.engine.counters
    }

    @Test func `is counted if its event has no time either`() throws {
        #expect(try take("", timestamp: nil).withoutTime == 1)
        #expect(try take("", timestamp: 1_767_000_000_000).withoutTime == 0)
        #expect(try take(#","event_time":1767000000"#, timestamp: nil).withoutTime == 0)
    }
}

@Suite struct `A filtered record` {
    @Test func `is counted but not reported, and its offset is committed`() throws {
        let harness = try EngineHarness(plan: Samples.selectivePlan())
        harness.assign()
        harness.push(offset: 7, more: #","kind":"quiet""#)
        #expect(harness.engine.counters.filtered == 1)
        #expect(harness.publish().isEmpty)
        #expect(harness.next() == 8)
        #expect(harness.recordsInFlight == 0)
    }

    @Test func `has an outcome but no dead letter if filtered records are reported`() throws {
        let harness = try EngineHarness(plan: Samples.selectivePlan()) {
            $0.results.reportsFiltered = true
        }
        harness.assign()
        harness.push(offset: 7, more: #","kind":"quiet""#)
        #expect(harness.send() == nil)
        #expect(harness.next() == 7)
        let published = harness.settle()
        #expect(published.count == 1)
        let outcome = try #require(published.outcomes.first)
        #expect(try Samples.member("verdict", of: outcome.value) == "dropped")
        #expect(try Samples.member("reason", of: outcome.value) == "filtered")
        #expect(try Samples.member("device_token", of: outcome.value) == nil)
        #expect(try Samples.member("bundle_id", of: outcome.value) == "com.example.shop")
        #expect(harness.engine.counters.filtered == 1)
        #expect(harness.next() == 8)
        #expect(harness.recordsInFlight == 0)
    }
}
