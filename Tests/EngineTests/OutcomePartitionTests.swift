import BridgeSamples
import Configuration
import Delivery
import Testing

@testable import Engine

@Suite struct `The partition of an outcome` {
    private let source = "shop.orders"
    private let outcomes = "apns.outcomes"

    /// A worker that knows how many partitions the topics have, and that has partition 3.
    private func desk(
        sources: Int? = 8, outcomes: Int? = 8, tweak: (inout EngineSettings) -> Void = { _ in }
    ) throws -> EngineDesk {
        let desk = try EngineDesk(tweak: tweak)
        desk.engine.setPartitionCount(sources, of: source)
        desk.engine.setPartitionCount(outcomes, of: self.outcomes)
        desk.assign(3)
        return desk
    }

    /// The result records of a push.
    private func results(
        _ desk: EngineDesk, offset: Int64 = 0, status: Int = 200, reason: String = ""
    ) throws -> [EngineDesk.Published] {
        desk.take(Samples.event("ab01"), offset: offset, partition: 3)
        try desk.sendAndAnswer(status, reason, timestamp: status == 410 ? EngineDesk.start : nil)
        return desk.publish()
    }

    /// The partition of a push's outcome.
    private func partition(_ desk: EngineDesk, offset: Int64 = 0) throws -> Int32? {
        let outcome = try results(desk, offset: offset).outcomes.first
        return try #require(outcome).record.partition
    }

    @Test func `is the key's while a number of partitions is unknown`() throws {
        #expect(try partition(desk(sources: nil)) == nil)
        #expect(try partition(desk(outcomes: nil)) == nil)
    }

    @Test func `is the key's if the source topic has more partitions`() throws {
        #expect(try partition(desk(sources: 8, outcomes: 7)) == nil)
    }

    @Test func `has the number of the source record's`() throws {
        #expect(try partition(desk()) == 3)
        #expect(try partition(desk(sources: 8, outcomes: 50)) == 3)
    }

    @Test func `follows a number of partitions that changes`() throws {
        let desk = try desk(sources: 8, outcomes: 4)
        #expect(try partition(desk, offset: 0) == nil)
        desk.engine.setPartitionCount(8, of: outcomes)
        #expect(try partition(desk, offset: 1) == 3)
        desk.engine.setPartitionCount(16, of: source)
        #expect(try partition(desk, offset: 2) == nil)
        desk.engine.setPartitionCount(nil, of: source)
        #expect(try partition(desk, offset: 3) == nil)
    }

    @Test func `is the key's if the connector says so, and then no topic is counted`() throws {
        let desk = try desk { $0.results.partitioner = .key }
        #expect(desk.engine.topicsToCount.isEmpty)
        #expect(try partition(desk) == nil)
    }

    @Test func `does not decide where tokens and dead letters go`() throws {
        var all = try results(desk(), status: 410, reason: "Unregistered")
        #expect(all.outcomes.map(\.record.partition) == [3])
        #expect(all.unregistered.map(\.record.partition) == [nil])
        all = try results(desk(), status: 400, reason: "BadTopic")
        #expect(all.outcomes.map(\.record.partition) == [3])
        #expect(all.deadLetters.map(\.record.partition) == [nil])
    }

    @Test func `is that of the first record after a retry from another topic`() throws {
        let (desk, retry) = try movedToRetryTopic()
        desk.engine.setPartitionCount(8, of: source)
        desk.engine.setPartitionCount(8, of: outcomes)
        #expect(retry.record.partition == nil)
        desk.takeBack(retry.record, offset: 7, of: desk.assignRetry(5), partition: 5)
        desk.pass(milliseconds: 11_000)
        try desk.sendAndAnswer(200)
        #expect(desk.publish().outcomes.map(\.record.partition) == [0])
    }
}
