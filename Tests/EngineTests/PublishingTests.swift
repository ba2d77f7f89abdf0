import Delivery
import Testing

@testable import Engine

@Suite struct `A result record that Kafka rejects` {
    private let failure = KafkaFailure(code: "MSG_TIMED_OUT", detail: "late", isFatal: false)

    @Test func `is published again after a while, not at once`() throws {
        let desk = try EngineDesk()
        desk.assign()
        desk.push(offset: 0)
        try desk.sendAndAnswer(200)
        let first = try #require(desk.publish().first)
        desk.engine.acknowledged(first.ticket, .failed(failure))
        #expect(desk.publish().isEmpty)
        #expect(desk.nextDeadline != nil)
        desk.pass(milliseconds: 1000)
        let second = try #require(desk.publish().first)
        #expect(second.value == first.value)
        #expect(desk.next() == 0)
        desk.store([second])
        #expect(desk.next() == 1)
    }

    @Test func `at once does not block the worker's turn`() throws {
        let desk = try EngineDesk()
        desk.assign()
        desk.take("no JSON", offset: 0)
        var offers = 0
        while offers < 100, let ticket = desk.engine.writeNextResult() {
            offers += 1
            desk.engine.published(ticket)
            desk.engine.acknowledged(ticket, .failed(failure))
        }
        #expect(offers == 2)
        #expect(desk.next() == 0)
        desk.pass(milliseconds: 1000)
        #expect(desk.settle().count == 2)
        #expect(desk.next() == 1)
    }

    @Test func `is logged and counted`() throws {
        let desk = try EngineDesk()
        desk.assign()
        desk.push(offset: 0)
        try desk.sendAndAnswer(200)
        desk.engine.acknowledged(try #require(desk.publish().first).ticket, .failed(failure))
        #expect(desk.engine.notices == [.refused(topic: "apns.outcomes", failure)])
        #expect(desk.engine.counters.resultsRefused == 1)
    }

    @Test func `is logged when that begins, once a minute, and when it ends`() throws {
        let desk = try EngineDesk()
        desk.assign()
        for offset in 0..<50 { desk.push(offset: Int64(offset)) }
        for id in desk.sendAll() { desk.answer(id, 200) }
        var notices: [Notice] = []
        func collect() { notices += desk.engine.takeNotices() }
        for _ in 0..<90 {
            for one in desk.publish() { desk.engine.acknowledged(one.ticket, .failed(failure)) }
            collect()
            desk.pass(milliseconds: 1000)
        }
        desk.settle()
        while let next = desk.nextDeadline {
            desk.pass(milliseconds: max(1, desk.now.duration(to: next).nanoseconds / 1_000_000))
        }
        collect()
        #expect(notices.map(\.name) == ["refused", "stillRefused", "storedAgain"])
        #expect(notices.compactMap(\.refusals).map(\.count) == [2999, 4500])
        #expect(notices.compactMap(\.refusals).allSatisfy { $0.topic == "apns.outcomes" })
    }

    @Test func `is logged separately for each topic and error code`() throws {
        let desk = try EngineDesk()
        desk.assign()
        desk.take("no JSON", offset: 0)
        let other = KafkaFailure(code: "TOPIC_AUTHORIZATION_FAILED", detail: "no", isFatal: false)
        for one in desk.publish() { desk.engine.acknowledged(one.ticket, .failed(failure)) }
        desk.pass(milliseconds: 1000)
        for one in desk.publish() { desk.engine.acknowledged(one.ticket, .failed(other)) }
        let notices = desk.engine.takeNotices()
        let topics = ["apns.outcomes", "apns.dead-letter"]
        #expect(notices.count == 4)
        for topic in topics {
            #expect(notices.contains(.refused(topic: topic, failure)))
            #expect(notices.contains(.refused(topic: topic, other)))
        }
    }

    @Test func `does not delay other result records`() throws {
        let desk = try EngineDesk()
        desk.assign()
        for offset in 0..<3 { desk.push(offset: Int64(offset)) }
        for push in desk.sendAll() { desk.answer(push, 200) }
        let all = desk.publish()
        desk.engine.acknowledged(all[0].ticket, .failed(failure))
        desk.store(Array(all.dropFirst()))
        #expect(desk.engine.window.records == 1)
        let commit = try #require(desk.takeCommits().first)
        #expect(commit.next == 0)
        let done = CompletedOffsets(text: commit.metadata, from: 0)
        #expect(done.ranges == [1..<3])
    }
}
