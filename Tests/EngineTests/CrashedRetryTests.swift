import BridgeSamples
import Configuration
import Delivery
import Testing

@testable import Engine

@Suite struct `A retry record that crashes the worker` {
    private static let id = AssignmentID(100)

    /// The record of the second of two pushes, from a worker without room to wait.
    private func written() throws -> ResultRecord {
        let writer = try retryHarness()
        let payload = #""payload":{"aps":{"alert":"Hi"}}"#
        writer.take(#"{"device_tokens":["aa01","aa02"],\#(payload)}"#, offset: 7)
        try writer.sendAndRespond(200)
        writer.settle()
        writer.respond(try #require(writer.send()), 503, "ServiceUnavailable", retryAfter: 10)
        return try #require(writer.settle().retries.first).record
    }

    /// Hands a record of the retry topic, at offset 70, to a worker that finds this metadata, and
    /// returns what it reports without sending anything.
    private func results(
        _ record: ResultRecord, metadata: String, seal: SealKeys? = nil
    ) throws -> [EngineHarness.Published] {
        let harness = try EngineHarness {
            $0.results.retry = "apns.retry"
            $0.results.seal = seal
        }
        let position = TopicPartition(topic: "apns.retry", partition: 0)
        harness.engine.assigned([
            AssignedPartition(
                id: Self.id, topicPartition: position, committed: 70, metadata: metadata)
        ])
        harness.commit()
        harness.takeBack(record, offset: 70, of: Self.id)
        for _ in 0..<5 where harness.openRecords == 0 { harness.commit() }
        #expect(harness.send() == nil)
        return harness.settle()
    }

    private func header(_ name: String, of record: ResultRecord) throws -> String {
        let header = record.headers.first { $0.name == "apns-bridge-retry-" + name }
        return String(decoding: try #require(header?.value), as: UTF8.self)
    }

    @Test(arguments: [false, true])
    func `is ended as the push that it is`(sent: Bool) throws {
        let record = try written()
        let results = try results(record, metadata: sent ? "e5,sent;" : "e5;")
        let outcome = try #require(results.outcomes.first?.value)
        #expect(results.outcomes.count == 1)
        #expect(outcome.contains(#""reason":"crashed""#))
        #expect(outcome.contains(sent ? #""verdict":"unknown""# : #""verdict":"dropped""#))
        #expect(outcome.contains(#""apns_id":"\#(try header("apns-id", of: record))","#))
        #expect(outcome.contains(#""index":1,"#) && outcome.contains(#""attempts":1,"#))
        #expect(outcome.contains(#""topic":"shop.orders","partition":0,"offset":7"#))
        #expect(results.deadLetters.count == (sent ? 0 : 1))
    }

    @Test func `is not read if somebody without the key may have written it`() throws {
        let seal = SealKeys(keys: [Array("0123456789abcdef".utf8)])
        let results = try results(try written(), metadata: "e5;", seal: seal)
        let outcome = try #require(results.outcomes.first?.value)
        #expect(outcome.contains(#""reason":"crashed""#))
        #expect(outcome.contains(#""topic":"apns.retry","partition":0,"offset":70"#))
        #expect(results.outcomes.count == 1 && results.deadLetters.count == 1)
    }

    @Test func `is not read after two more crashes, and reported as a whole`() throws {
        let results = try results(try written(), metadata: "e7;")
        let outcome = try #require(results.outcomes.first?.value)
        #expect(outcome.contains(#""verdict":"dropped""#) && outcome.contains(#""index":0,"#))
        #expect(outcome.contains(#""topic":"apns.retry","partition":0,"offset":70"#))
        #expect(results.deadLetters.count == 1)
    }
}

extension EngineHarness {
    /// Stores what the worker commits now, if anything.
    fileprivate func commit() {
        pass(milliseconds: 100)
        engine.asked(limit: 32, taken: 0)
        guard shouldCommit else { return }
        committed(CommitReport(commits: takeCommits(), failure: nil))
    }
}
