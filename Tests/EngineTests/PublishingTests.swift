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
        #expect(desk.engine.notices.map(\.level) == [.error])
        #expect(desk.engine.counters.resultsRefused == 1)
    }

    @Test func `is logged when that begins, once a minute, and when it ends`() throws {
        let desk = try EngineDesk()
        desk.assign()
        for offset in 0..<50 { desk.push(offset: Int64(offset)) }
        for id in desk.sendAll() { desk.answer(id, 200) }
        var lines: [[String]] = []
        func collect() {
            for notice in desk.engine.takeNotices() {
                lines.append([notice.message, notice["topic"] ?? "", notice["refused"] ?? ""])
            }
        }
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
        let topic = "apns.outcomes"
        #expect(
            lines == [
                [
                    "Kafka refused a result record; its offset is not committed until it is stored",
                    topic, "",
                ],
                ["Kafka still refuses result records", topic, "2999"],
                ["Kafka stores result records again", topic, "4500"],
            ])
    }

    @Test(arguments: [
        ("KAFKA_STORAGE_ERROR", "free space on the disks of the brokers, or replace the broken"),
        ("NOT_ENOUGH_REPLICAS", "bring back the brokers with replicas of the topic"),
        ("UNKNOWN_TOPIC_OR_PART", "create the topic"),
        ("TOPIC_AUTHORIZATION_FAILED", "grant this user WRITE on the topic"),
        ("MSG_SIZE_TOO_LARGE", "raise max.message.bytes of the topic"),
        ("_MSG_TIMED_OUT", "check that the brokers run, and look at their disks"),
        ("INVALID_TIMESTAMP", "set this machine's clock"),
        ("INVALID_RECORD", "look up the code in Kafka's documentation"),
    ])
    func `is logged with what to do about its error code`(code: String, action: String) throws {
        let desk = try EngineDesk()
        desk.assign()
        desk.push(offset: 0)
        try desk.sendAndAnswer(200)
        let refused = try #require(desk.publish().first)
        desk.engine.acknowledged(
            refused.ticket, .failed(KafkaFailure(code: code, detail: "no", isFatal: false)))
        let notice = try #require(desk.engine.takeNotices().first)
        #expect(notice["action"]?.hasPrefix(action) == true, "\(notice)")
    }

    @Test func `is logged separately for each topic and error code`() throws {
        let desk = try EngineDesk()
        desk.assign()
        desk.take("no JSON", offset: 0)
        let other = KafkaFailure(code: "TOPIC_AUTHORIZATION_FAILED", detail: "no", isFatal: false)
        for one in desk.publish() { desk.engine.acknowledged(one.ticket, .failed(failure)) }
        desk.pass(milliseconds: 1000)
        for one in desk.publish() { desk.engine.acknowledged(one.ticket, .failed(other)) }
        let lines = desk.engine.takeNotices().map { [$0["topic"], $0["code"]] }
        #expect(
            Set(lines) == [
                ["apns.outcomes", "MSG_TIMED_OUT"], ["apns.dead-letter", "MSG_TIMED_OUT"],
                ["apns.outcomes", "TOPIC_AUTHORIZATION_FAILED"],
                ["apns.dead-letter", "TOPIC_AUTHORIZATION_FAILED"],
            ])
        #expect(lines.count == 4)
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
