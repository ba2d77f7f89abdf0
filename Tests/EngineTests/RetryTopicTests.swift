import APNs
import BridgeSamples
import Configuration
import Delivery
import EventLoop
import Testing

@testable import Engine

@Suite struct `A retry without room in memory` {
    @Test func `is written to the retry topic unchanged, with its state in headers`() throws {
        let (harness, retry) = try movedToRetryTopic()
        #expect(retry.record.topic == "apns.retry")
        #expect(retry.key == "ada")
        #expect(retry.value == Samples.event("aa"))
        #expect(retry.header("traceparent") == "00-1")
        func header(_ name: String) -> String? { retry.header("apns-bridge-retry-" + name) }
        #expect(header("due") == String(EngineHarness.start + 10_000))
        #expect(header("index") == "0")
        #expect(header("attempts") == "1")
        #expect(header("taken") == String(EngineHarness.start))
        #expect(header("suspended") == "0")
        #expect(header("until") == String(EngineHarness.start + 3_600_000))
        #expect(header("written") == String(EngineHarness.start))
        #expect(header("in-doubt") == nil)
        #expect(header("topic") == "shop.orders")
        #expect(header("partition") == "0")
        #expect(header("offset") == "1")
        #expect(header("timestamp") == String(EngineHarness.start - 5000))
        #expect(header("status") == "503")
        #expect(header("reason") == "ServiceUnavailable")
        #expect(header("first-sent") == String(EngineHarness.start))
        #expect(header("sent") == String(EngineHarness.start))
        #expect(header("answered") == String(EngineHarness.start))
        #expect(header("apns-id")?.utf8.count == 36)
        #expect(harness.flowChange() == nil)
    }

    @Test func `is done only when Kafka has stored it there`() throws {
        let (harness, retry) = try movedToRetryTopic()
        #expect(harness.openRecords == 2)
        harness.store([retry])
        #expect(harness.openRecords == 1)
        let progress = harness.engine.intakeCell.value.partitions[AssignmentID(0)]
        #expect(progress?.tracker.completed.contains(1) == true)
        #expect(harness.publish().isEmpty)
        #expect(harness.recordsInFlight == 0)
    }

    @Test func `is published again if Kafka rejects it`() throws {
        let (harness, retry) = try movedToRetryTopic()
        let failure = KafkaFailure(code: "MSG_TIMED_OUT", detail: "late", isFatal: false)
        harness.engine.acknowledged(retry.ticket, .failed(failure))
        #expect(harness.publish().isEmpty)
        harness.pass(milliseconds: 1000)
        #expect(harness.publish().retries.count == 1)
    }

    @Test func `waits in memory if it is too large for Kafka, and pauses its partition`() throws {
        let (harness, retry) = try movedToRetryTopic()
        harness.engine.acknowledged(retry.ticket, .tooLarge)
        #expect(harness.flowChange() == FlowChange(pause: [AssignmentID(0)]))
        harness.pass(milliseconds: 10_000)
        try harness.sendAndRespond(200)
        #expect(harness.settle().outcomes.count == 1)
    }

    @Test func `is not written if its partition was lost`() throws {
        let harness = try retryHarness()
        harness.push("aa", offset: 1)
        harness.respond(try #require(harness.send()), 503, "ServiceUnavailable", retryAfter: 10)
        harness.engine.lost([AssignmentID(0)])
        #expect(harness.publish().isEmpty)
        #expect(harness.openRecords == 0)
    }

    @Test func `does not affect the other pushes of its record`() throws {
        let harness = try retryHarness()
        harness.take(
            #"{"device_tokens":["aa","bb"],"payload":{"aps":{"alert":"Hi"}}}"#, offset: 1)
        let pushes = harness.sendAll()
        harness.respond(pushes[0], 503, "ServiceUnavailable", retryAfter: 10)
        #expect(harness.publish().isEmpty)
        harness.respond(pushes[1], 200)
        #expect(harness.settle().outcomes.count == 1)
        let retries = harness.settle().retries
        #expect(retries.count == 1)
        #expect(retries.first?.header("apns-bridge-retry-index") == "0")
        #expect(harness.openRecords == 1)
    }
}

@Suite struct `A record of the retry topic` {
    /// A worker that has read a record of the retry topic that is due in ten seconds.
    ///
    /// - Parameter suspended: how long sending was suspended before it was read.
    private func reading(
        more: String = "", headers: [String: String?] = [:], suspended: Int64 = 0,
        tweak: (inout EngineSettings) -> Void = { _ in }
    ) throws -> EngineHarness {
        let writer = try retryHarness(tweak: tweak)
        writer.take(Samples.event("aa", more: more), offset: 1, key: "ada")
        writer.respond(try #require(writer.send()), 503, "ServiceUnavailable", retryAfter: 10)
        var record = try #require(writer.settle().retries.first).record
        for (name, value) in headers {
            record.headers.removeAll { $0.name == "apns-bridge-retry-" + name }
            guard let value else { continue }
            record.headers.append(("apns-bridge-retry-" + name, Array(value.utf8)))
        }
        let reader = try EngineHarness {
            $0.results.retry = "apns.retry"
            tweak(&$0)
        }
        if suspended > 0 { try suspend(reader, milliseconds: suspended) }
        let id = reader.assignRetry()
        reader.takeBack(record, offset: 70, of: id, writtenAt: EngineHarness.start)
        return reader
    }

    /// Lets APNs reject the credential, and accept it again after so long.
    private func suspend(_ harness: EngineHarness, milliseconds: Int64) throws {
        harness.assign()
        harness.push("bb", offset: 0)
        try harness.sendAndRespond(403, "InvalidProviderToken")
        harness.pass(milliseconds: milliseconds)
        try harness.sendAndRespond(200)
        harness.settle()
    }

    @Test func `is not given up early on a machine that has just started`() throws {
        let until = String(EngineHarness.start + 1_800_000)
        let harness = try reading(headers: ["until": until])
        harness.pass(milliseconds: 2000)
        #expect(harness.publish().isEmpty)
        harness.pass(milliseconds: 10_000)
        try harness.sendAndRespond(200)
        #expect(harness.settle().outcomes.count == 1)
    }

    @Test func `waits until it is due, and pauses its partition meanwhile`() throws {
        let harness = try reading()
        #expect(harness.send() == nil)
        #expect(harness.flowChange() == FlowChange(pause: [AssignmentID(100)]))
        harness.pass(milliseconds: 9999)
        #expect(harness.send() == nil)
        #expect(harness.flowChange() == nil)
        harness.pass(milliseconds: 1)
        #expect(harness.send() != nil)
        #expect(harness.flowChange() == FlowChange(resume: [AssignmentID(100)]))
    }

    @Test func `pauses its partition for a minute at most`() throws {
        let harness = try reading(headers: ["due": "9000000000000"])
        #expect(harness.flowChange() == FlowChange(pause: [AssignmentID(100)]))
        harness.pass(milliseconds: 60_000)
        #expect(harness.send() == nil)
        #expect(harness.flowChange() == FlowChange(resume: [AssignmentID(100)]))
    }

    @Test func `has the outcome of its original event`() throws {
        let harness = try reading()
        harness.pass(milliseconds: 10_000)
        let push = try #require(harness.send())
        let id = harness.apnsID(push).description
        harness.respond(push, 200)
        let all = harness.settle()
        #expect(all.count == 1)
        let outcome = try #require(all.outcomes.first)
        #expect(outcome.key == "ada")
        #expect(outcome.value.contains(#""verdict":"accepted""#))
        #expect(outcome.value.contains(#""attempts":2"#))
        #expect(outcome.value.contains(id))
        #expect(
            outcome.value.hasSuffix(
                #""source":{"topic":"shop.orders","partition":0,"offset":1,"#
                    + #""timestamp":"2026-01-01T09:59:55.000Z"}}"#))
        #expect(harness.next(AssignmentID(100)) == 71)
    }

    @Test func `keeps when it was first sent, also without another attempt`() throws {
        let first = #""first_sent_at":"2026-01-01T10:00:00.000Z","sent_at":"2026-01-01T10:00:"#
        let sent = try reading()
        sent.pass(milliseconds: 10_000)
        try sent.sendAndRespond(200)
        #expect(sent.settle().first?.value.contains(first + "10.000Z\"") == true)
        let expired = try reading(more: #","ttl":"8s""#)
        expired.pass(milliseconds: 10_000)
        #expect(expired.send() == nil)
        let value = try #require(expired.settle().first).value
        #expect(value.contains(first + #"00.000Z","answered_at":"2026-01-01T10:00:00.000Z","#))
        #expect(value.contains(#""decided_at":"2026-01-01T10:00:10.000Z""#))
    }

    @Test func `from a version without times of attempts is sent all the same`() throws {
        let harness = try reading(headers: ["first-sent": nil, "sent": nil, "answered": nil])
        harness.pass(milliseconds: 10_000)
        try harness.sendAndRespond(200)
        #expect(harness.settle().first?.value.contains(#""verdict":"accepted""#) == true)
    }

    @Test func `has the apns-id and the dead letter of its original event`() throws {
        let harness = try reading()
        harness.pass(milliseconds: 10_000)
        try harness.sendAndRespond(400, "PayloadEmpty")
        let all = harness.settle()
        let letter = try #require(all.deadLetters.first)
        let name = NotificationName(
            clusterID: "K1", group: "apns-orders",
            topicPartition: TopicPartition(topic: "shop.orders", partition: 0))
        #expect(
            letter.header("apns-bridge-apns-id")
                == name.identifier(offset: 1, index: 0).description)
        #expect(letter.header("apns-bridge-topic") == "shop.orders")
        #expect(letter.header("apns-bridge-offset") == "1")
        #expect(letter.header("apns-bridge-attempts") == "2")
        #expect(!letter.record.headers.contains { $0.name.hasPrefix("apns-bridge-retry-") })
        #expect(letter.value == Samples.event("aa"))
    }

    @Test func `expires by the time of its original event`() throws {
        let harness = try reading(more: #","ttl":"8s""#)
        harness.pass(milliseconds: 10_000)
        #expect(harness.send() == nil)
        let all = harness.settle()
        let value = try #require(all.outcomes.first).value
        #expect(value.contains(#""verdict":"dropped","reason":"expired","#))
        #expect(value.contains(#""last_status":503,"last_reason":"ServiceUnavailable""#))
        #expect(value.contains(#""attempts":1"#))
    }

    @Test func `is given up at the time set when its event was first read`() throws {
        let until = String(EngineHarness.start + 5000)
        let harness = try reading(headers: ["until": until]) {
            $0.retry.giveUpAfter = .milliseconds(60_000)
        }
        harness.pass(milliseconds: 6000)
        let all = harness.settle()
        #expect(all.outcomes.first?.value.contains(#""verdict":"rejected""#) == true)
        #expect(all.deadLetters.count == 1)
    }

    @Test func `is not given up because of the time sending was suspended`() throws {
        let until = String(EngineHarness.start + 5000)
        let harness = try reading(headers: ["until": until], suspended: 3_600_000) {
            $0.retry.giveUpAfter = .milliseconds(60_000)
        }
        harness.pass(milliseconds: 4000)
        #expect(harness.settle().isEmpty)
        try harness.sendAndRespond(200)
        #expect(harness.settle().outcomes.first?.value.contains(#""verdict":"accepted""#) == true)
    }

    @Test func `has only the attempts that are left`() throws {
        let harness = try reading { $0.retry.maxAttempts = 2 }
        harness.pass(milliseconds: 10_000)
        try harness.sendAndRespond(503, "ServiceUnavailable")
        let all = harness.settle()
        #expect(all.outcomes.first?.value.contains(#""attempts":2"#) == true)
        #expect(all.deadLetters.count == 1)
    }

    @Test func `stays in doubt`() throws {
        let harness = try reading(headers: ["in-doubt": "no response within 20 s"]) {
            $0.inDoubt = .resend
            $0.retry.maxAttempts = 2
        }
        harness.pass(milliseconds: 10_000)
        try harness.sendAndRespond(503, "ServiceUnavailable")
        let all = harness.settle()
        #expect(all.count == 1)
        #expect(
            all.first?.value.contains(
                #""verdict":"unknown","reason":"no response within 20 s","#) == true)
    }

    @Test func `in doubt does not replace a newer push`() throws {
        let harness = try reading(
            more: #","collapse_id":"x""#, headers: ["in-doubt": "lost"])
        harness.pass(milliseconds: 10_000)
        #expect(harness.openRecords == 1)
        let push = try #require(harness.engine.views.first)
        let found = harness.engine.pushesCell.value.collapseKey(push.id)
        let key = try #require(found)
        harness.engine.sentPushesCell.value.arrived(
            key, age: PushAge(sequence: .max), NotificationID(high: 1, low: 2))
        #expect(harness.send() == nil)
        #expect(harness.settle().first?.value.contains(#""verdict":"unknown""#) == true)
    }

    @Test(
        arguments: [
            ("apns-id", nil, "the header apns-bridge-retry-apns-id is missing"),
            ("apns-id", "x", "the header apns-bridge-retry-apns-id is not a valid UUID"),
            ("due", "soon", "the header apns-bridge-retry-due is not a number in its range"),
            ("offset", "-1", "the header apns-bridge-retry-offset is not a number in its range"),
            ("until", "", "the header apns-bridge-retry-until is missing"),
            ("written", "x", "the header apns-bridge-retry-written is not a number in its range"),
            ("taken", nil, "the header apns-bridge-retry-taken is missing"),
            ("sent", "-1", "the header apns-bridge-retry-sent is not a number in its range"),
            (
                "index", "4",
                "the event no longer makes notification 4: was the connector changed?"
            ),
        ] as [(String, String?, String)])
    func `that is damaged becomes a dead letter`(
        header: String, value: String?, detail: String
    ) throws {
        let harness = try reading(headers: [header: value])
        #expect(harness.send() == nil)
        let all = harness.settle()
        #expect(all.outcomes.first?.value.contains(#""reason":"damaged_retry""#) == true)
        #expect(all.deadLetters.first?.header("apns-bridge-detail") == detail)
        #expect(all.deadLetters.first?.value == Samples.event("aa"))
        #expect(harness.next(AssignmentID(100)) == 71)
    }

    @Test func `is not written again before its next attempt, even without room`() throws {
        let harness = try retryHarness()
        harness.push("aa", offset: 1)
        harness.respond(try #require(harness.send()), 503, "ServiceUnavailable", retryAfter: 10)
        let record = try #require(harness.settle().retries.first).record
        let id = harness.assignRetry()
        harness.takeBack(record, offset: 0, of: id)
        #expect(harness.publish().isEmpty)
        #expect(harness.recordsInFlight == 1)
        harness.pass(milliseconds: 10_000)
        harness.respond(try #require(harness.send()), 503, "ServiceUnavailable", retryAfter: 10)
        let again = try #require(harness.settle().retries.first)
        #expect(again.header("apns-bridge-retry-attempts") == "2")
        #expect(again.header("apns-bridge-retry-topic") == "shop.orders")
        #expect(again.record.headers.count == record.headers.count)
    }
}

@Suite struct `With a retry topic, a push that waits for a retry` {
    private func waiting() throws -> EngineHarness {
        let harness = try EngineHarness { $0.results.retry = "apns.retry" }
        harness.assign()
        harness.push("aa", offset: 0)
        harness.respond(try #require(harness.send()), 503, "ServiceUnavailable", retryAfter: 60)
        return harness
    }

    @Test func `is written there when the worker stops, and committed`() throws {
        let harness = try waiting()
        harness.push("bb", offset: 1)
        harness.engine.drain(until: harness.engine.now + .seconds(10))
        #expect(harness.settle().retries.count == 1)
        #expect(harness.openRecords == 0)
        #expect(harness.next() == 1)
    }

    @Test func `is written there when its partition is revoked`() throws {
        let harness = try waiting()
        harness.engine.revoking([AssignmentID(0)])
        #expect(harness.settle().retries.count == 1)
        #expect(harness.openRecords == 0)
        #expect(harness.next() == 1)
    }

    @Test func `is left to the next owner when its partition is lost`() throws {
        let harness = try waiting()
        harness.engine.lost([AssignmentID(0)])
        #expect(harness.publish().isEmpty)
        #expect(harness.openRecords == 0)
    }

    @Test func `is written there as in doubt when the connections are closed`() throws {
        let harness = try EngineHarness {
            $0.results.retry = "apns.retry"
            $0.inDoubt = .resend
        }
        harness.assign()
        harness.push("aa", offset: 0)
        let push = try #require(harness.send())
        harness.engine.drain(until: harness.engine.now)
        harness.engine.inDoubt(push, reason: "the connection was closed")
        harness.engine.close()
        let retry = try #require(harness.settle().retries.first)
        #expect(retry.header("apns-bridge-retry-in-doubt") == "the connection was closed")
        #expect(harness.openRecords == 0)
        #expect(harness.next() == 1)
    }

    @Test func `stays in memory while there is room`() throws {
        let harness = try waiting()
        #expect(harness.publish().isEmpty)
        #expect(harness.waitingRecords == 1)
    }
}
