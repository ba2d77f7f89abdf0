import BridgeSamples
import Configuration
import Delivery
import Testing

@testable import Engine

@Suite struct `The partition of an outcome` {
    private let source = "shop.orders"
    private let outcomes = "apns.outcomes"

    /// A worker that knows how many partitions the topics have, and that has partition 3.
    private func harness(
        sources: Int? = 8, outcomes: Int? = 8, tweak: (inout EngineSettings) -> Void = { _ in }
    ) throws -> EngineHarness {
        let harness = try EngineHarness(tweak: tweak)
        harness.engine.setPartitionCount(sources, of: source)
        harness.engine.setPartitionCount(outcomes, of: self.outcomes)
        harness.assign(3)
        return harness
    }

    /// The result records of a push.
    private func results(
        _ harness: EngineHarness, offset: Int64 = 0, status: Int = 200, reason: String = ""
    ) throws -> [EngineHarness.Published] {
        harness.take(Samples.event("ab01"), offset: offset, partition: 3)
        try harness.sendAndRespond(
            status, reason, timestamp: status == 410 ? EngineHarness.start : nil)
        return harness.publish()
    }

    /// The partition of a push's outcome.
    private func partition(_ harness: EngineHarness, offset: Int64 = 0) throws -> Int32? {
        let outcome = try results(harness, offset: offset).outcomes.first
        return try #require(outcome).record.partition
    }

    @Test func `is the key's while a number of partitions is unknown`() throws {
        #expect(try partition(harness(sources: nil)) == nil)
        #expect(try partition(harness(outcomes: nil)) == nil)
    }

    @Test func `is the key's if the source topic has more partitions`() throws {
        #expect(try partition(harness(sources: 8, outcomes: 7)) == nil)
    }

    @Test func `has the number of the source record's`() throws {
        #expect(try partition(harness()) == 3)
        #expect(try partition(harness(sources: 8, outcomes: 50)) == 3)
    }

    @Test func `follows a number of partitions that changes`() throws {
        let harness = try harness(sources: 8, outcomes: 4)
        #expect(try partition(harness, offset: 0) == nil)
        harness.engine.setPartitionCount(8, of: outcomes)
        #expect(try partition(harness, offset: 1) == 3)
        harness.engine.setPartitionCount(16, of: source)
        #expect(try partition(harness, offset: 2) == nil)
        harness.engine.setPartitionCount(nil, of: source)
        #expect(try partition(harness, offset: 3) == nil)
    }

    @Test func `is the key's if the connector says so, and then no topic is counted`() throws {
        let harness = try harness { $0.results.partitioner = .key }
        #expect(harness.engine.topicsToCount.isEmpty)
        #expect(try partition(harness) == nil)
    }

    @Test func `has that number also if the topic matches a pattern, while it is assigned`() throws
    {
        let harness = try EngineHarness {
            $0.sourceTopics = []
            $0.hasPatterns = true
        }
        #expect(harness.engine.topicsToCount == [outcomes])
        harness.assign(3)
        #expect(harness.engine.topicsToCount == [source, outcomes])
        for topic in harness.engine.topicsToCount { harness.engine.setPartitionCount(8, of: topic) }
        #expect(try partition(harness) == 3)
        harness.engine.lost(harness.engine.owned, areDeleted: true)
        #expect(harness.engine.topicsToCount == [outcomes])
        #expect(harness.engine.counters.losses == 0)
        #expect(harness.engine.outbox.partitionCount(of: source) == nil)
    }

    @Test func `does not decide where tokens and dead letters go`() throws {
        var all = try results(harness(), status: 410, reason: "Unregistered")
        #expect(all.outcomes.map(\.record.partition) == [3])
        #expect(all.unregistered.map(\.record.partition) == [nil])
        all = try results(harness(), status: 400, reason: "BadTopic")
        #expect(all.outcomes.map(\.record.partition) == [3])
        #expect(all.deadLetters.map(\.record.partition) == [nil])
    }

    @Test func `is that of the first record after a retry from another topic`() throws {
        let (harness, retry) = try movedToRetryTopic()
        harness.engine.setPartitionCount(8, of: source)
        harness.engine.setPartitionCount(8, of: outcomes)
        #expect(retry.record.partition == nil)
        harness.takeBack(retry.record, offset: 7, of: harness.assignRetry(5), partition: 5)
        harness.pass(milliseconds: 11_000)
        try harness.sendAndRespond(200)
        #expect(harness.publish().outcomes.map(\.record.partition) == [0])
    }
}
