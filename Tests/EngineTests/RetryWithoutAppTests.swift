import BridgeSamples
import Configuration
import Delivery
import Testing

@testable import Engine

/// Of an app that is not known nothing can be looked up: not when sending to it was suspended, for
/// example.
@Suite struct `A push from the retry topic whose app is not known` {
    private static let pay = #","bundle_id":"com.example.pay""#

    private func harness() throws -> EngineHarness {
        try EngineHarness(plan: Samples.twoAppsPlan()) {
            $0.apps = Samples.twoApps
            $0.results.retry = "apns.retry"
            $0.maxWaiting = 1
        }
    }

    /// The record of a push that was written to the retry topic.
    private func record() throws -> ResultRecord {
        let writer = try harness()
        writer.assign()
        for offset in 0..<2 {
            writer.take(Samples.event("aa0\(offset)", more: Self.pay), offset: Int64(offset))
            writer.respond(try #require(writer.send()), 503, "ServiceUnavailable", retryAfter: 300)
        }
        return try #require(writer.settle().retries.first).record
    }

    private func expect(_ reason: String, of record: ResultRecord) throws {
        let reader = try harness()
        reader.takeBack(record, offset: 70, of: reader.assignRetry())
        #expect(reader.send() == nil)
        let all = reader.settle()
        #expect(all.outcomes.count == 1)
        #expect(all.outcomes.first?.value.contains(#""reason":"\#(reason)""#) == true)
        #expect(all.deadLetters.count == 1)
        #expect(reader.next(AssignmentID(100)) == 71)
    }

    @Test func `is dropped if the connector no longer has it`() throws {
        var record = try record()
        let event = Samples.event("aa01", more: #","bundle_id":"com.example.gone""#)
        record.value = Array(event.utf8)
        try expect("unknown_app", of: record)
    }

    @Test func `is dropped if the event no longer makes it`() throws {
        var record = try record()
        record.headers.removeAll { $0.name == "apns-bridge-retry-index" }
        record.headers.append(("apns-bridge-retry-index", Array("4".utf8)))
        try expect("damaged_retry", of: record)
    }

    @Test func `is ended under its apns-id if it crashed the worker`() throws {
        let record = try record()
        let reader = try harness()
        reader.engine.assigned([
            AssignedPartition(
                id: AssignmentID(100),
                topicPartition: TopicPartition(topic: "apns.retry", partition: 0), committed: 70,
                metadata: "e5,sent;")
        ])
        reader.takeBack(record, offset: 70, of: AssignmentID(100))
        for _ in 0..<3 {
            reader.pass(milliseconds: 400)
            let commits = reader.takeCommits()
            reader.committed(CommitReport(commits: commits, failure: nil))
        }
        let outcome = try #require(reader.settle().outcomes.first).value
        #expect(outcome.contains(#""verdict":"unknown","reason":"crashed""#))
        let header = record.headers.first { $0.name == "apns-bridge-retry-apns-id" }
        let id = String(decoding: try #require(header?.value), as: UTF8.self)
        #expect(outcome.contains(#""apns_id":"\#(id)""#))
    }
}
