import Delivery
import Testing

@testable import Engine

@Suite struct `A result record that Kafka rejects` {
    private let failure = KafkaFailure(code: "MSG_TIMED_OUT", detail: "late", isFatal: false)

    @Test func `is published again after a while, not at once`() throws {
        let harness = try EngineHarness()
        harness.assign()
        harness.push(offset: 0)
        try harness.sendAndRespond(200)
        let first = try #require(harness.publish().first)
        harness.engine.acknowledged(first.ticket, .failed(failure))
        #expect(harness.publish().isEmpty)
        #expect(harness.nextDeadline != nil)
        harness.pass(milliseconds: 1000)
        let second = try #require(harness.publish().first)
        #expect(second.value == first.value)
        #expect(harness.next() == 0)
        harness.store([second])
        #expect(harness.next() == 1)
    }

    @Test func `at once does not block the worker's turn`() throws {
        let harness = try EngineHarness()
        harness.assign()
        harness.take("no JSON", offset: 0)
        var offers = 0
        while offers < 100, let ticket = harness.engine.writeNextResult() {
            offers += 1
            harness.engine.published(ticket)
            harness.engine.acknowledged(ticket, .failed(failure))
        }
        #expect(offers == 2)
        #expect(harness.next() == 0)
        harness.pass(milliseconds: 1000)
        #expect(harness.settle().count == 2)
        #expect(harness.next() == 1)
    }

    @Test func `is logged and counted`() throws {
        let harness = try EngineHarness()
        harness.assign()
        harness.push(offset: 0)
        try harness.sendAndRespond(200)
        harness.engine.acknowledged(try #require(harness.publish().first).ticket, .failed(failure))
        #expect(harness.engine.notices == [.refused(topic: "apns.outcomes", failure)])
        #expect(harness.engine.counters.resultsRefused == 1)
    }

    @Test func `is logged when that begins, once a minute, and when it ends`() throws {
        let harness = try EngineHarness()
        harness.assign()
        for offset in 0..<50 { harness.push(offset: Int64(offset)) }
        for id in harness.sendAll() { harness.respond(id, 200) }
        var notices: [Notice] = []
        func collect() { notices += harness.engine.takeNotices() }
        for _ in 0..<90 {
            for one in harness.publish() {
                harness.engine.acknowledged(one.ticket, .failed(failure))
            }
            collect()
            harness.pass(milliseconds: 1000)
        }
        harness.settle()
        while let next = harness.nextDeadline {
            harness.pass(
                milliseconds: max(1, harness.now.duration(to: next).nanoseconds / 1_000_000))
        }
        collect()
        #expect(notices.map(\.name) == ["refused", "stillRefused", "storedAgain"])
        #expect(notices.compactMap(\.refusals).map(\.count) == [2999, 4500])
        #expect(notices.compactMap(\.refusals).allSatisfy { $0.topic == "apns.outcomes" })
    }

    @Test func `is logged separately for each topic and error code`() throws {
        let harness = try EngineHarness()
        harness.assign()
        harness.take("no JSON", offset: 0)
        let other = KafkaFailure(code: "TOPIC_AUTHORIZATION_FAILED", detail: "no", isFatal: false)
        for one in harness.publish() { harness.engine.acknowledged(one.ticket, .failed(failure)) }
        harness.pass(milliseconds: 1000)
        for one in harness.publish() { harness.engine.acknowledged(one.ticket, .failed(other)) }
        let notices = harness.engine.takeNotices()
        let topics = ["apns.outcomes", "apns.dead-letter"]
        #expect(notices.count == 4)
        for topic in topics {
            #expect(notices.contains(.refused(topic: topic, failure)))
            #expect(notices.contains(.refused(topic: topic, other)))
        }
    }

    @Test func `does not delay other result records`() throws {
        let harness = try EngineHarness()
        harness.assign()
        for offset in 0..<3 { harness.push(offset: Int64(offset)) }
        for push in harness.sendAll() { harness.respond(push, 200) }
        let all = harness.publish()
        harness.engine.acknowledged(all[0].ticket, .failed(failure))
        harness.store(Array(all.dropFirst()))
        #expect(harness.recordsInFlight == 1)
        let commit = try #require(harness.takeCommits().first)
        #expect(commit.next == 0)
        let done = CompletedOffsets(text: commit.metadata, from: 0)
        #expect(done.ranges == [1..<3])
    }
}
