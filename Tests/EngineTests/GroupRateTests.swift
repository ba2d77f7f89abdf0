import BridgeSamples
import Configuration
import Delivery
import EventLoop
import Testing

@testable import Engine

@Suite struct `A rate of the group` {
    /// A worker of a group that may send 80 pushes per second; the source has 8 partitions.
    private func harness(
        partitions: Int? = 8, tweak: (inout EngineSettings) -> Void = { _ in }
    ) throws -> EngineHarness {
        let harness = try EngineHarness {
            $0.rate.perApp = PushRate(80, per: .seconds(1))
            $0.rate.owner = .group
            tweak(&$0)
        }
        if let partitions { harness.engine.setPartitionCount(partitions, of: "shop.orders") }
        return harness
    }

    /// How many pushes are sent now, and how many in each of the seconds that follow.
    private func sent(_ harness: EngineHarness, seconds: Int, from offset: Int64 = 0) -> [Int] {
        for offset in offset..<(offset + 300) { harness.push(offset: offset) }
        return (0..<seconds).map { _ in
            var sum = 0
            for _ in 0..<100 {
                harness.pass(milliseconds: 10)
                sum += harness.sendAll().count
            }
            return sum
        }
    }

    private func isClose(_ counts: [Int], _ expected: [Int]) -> Bool {
        counts.count == expected.count
            && zip(counts, expected).allSatisfy { abs($0 - $1) <= 1 }
    }

    @Test func `is divided as the partitions are`() throws {
        let harness = try harness()
        harness.assign(0)
        harness.assign(1)
        // The burst is the share of one second.
        #expect(isClose(sent(harness, seconds: 3), [40, 20, 20]))
    }

    @Test func `is all of it for a worker with all partitions`() throws {
        let harness = try harness(partitions: 2)
        harness.assign(0)
        harness.assign(1)
        #expect(isClose(sent(harness, seconds: 2), [160, 80]))
    }

    @Test func `changes with each assignment, and no burst with it`() throws {
        let harness = try harness()
        let first = harness.assign(0)
        for number in 1..<8 { harness.assign(Int32(number)) }
        #expect(isClose(sent(harness, seconds: 1), [160]))
        let others = harness.engine.intakeCell.value.partitions.filter { _ in true }
            .filter { $0 != first }
        harness.engine.revoking(others)
        #expect(isClose(sent(harness, seconds: 2, from: 300), [10, 10]))
        harness.engine.lost(others)
        for number in 1..<8 { harness.assign(Int32(number)) }
        #expect(isClose(sent(harness, seconds: 1, from: 600), [80]))
    }

    @Test func `is that of one partition for a worker with retries only`() throws {
        let harness = try harness { $0.results.retry = "apns.retry" }
        harness.assign(0)
        let share = harness.engine.sendingCell.value.queues[AppID(0)].rate
        harness.assign(1) {
            $0 = AssignedPartition(
                id: $0.id, topicPartition: TopicPartition(topic: "apns.retry", partition: 1),
                committed: nil, metadata: "")
        }
        #expect(harness.engine.sendingCell.value.queues[AppID(0)].rate == share)
        harness.engine.lost([AssignmentID(0)])
        #expect(harness.engine.sendingCell.value.queues[AppID(0)].rate == share)
        #expect(share == RateLimit(PushRate(10, per: .seconds(1))))
    }

    @Test func `shrinks when partitions are added`() throws {
        let harness = try harness()
        harness.assign(0)
        harness.engine.setPartitionCount(16, of: "shop.orders")
        #expect(
            harness.engine.sendingCell.value.queues[AppID(0)].rate
                == RateLimit(PushRate(5, per: .seconds(1))))
    }

    @Test func `is hardly used while nobody knows the number of partitions`() throws {
        let harness = try harness(partitions: nil)
        harness.assign(0)
        #expect(sent(harness, seconds: 1) == [1])
        harness.engine.setPartitionCount(8, of: "shop.orders")
        #expect(isClose(sent(harness, seconds: 1, from: 300), [10]))
    }

    @Test func `is each worker's own unless the file says otherwise`() throws {
        let harness = try harness { $0.rate.owner = .worker }
        harness.assign(0)
        #expect(isClose(sent(harness, seconds: 2), [160, 80]))
    }

    @Test func `needs the number of partitions even if outcomes go by their keys`() throws {
        let harness = try harness { $0.results.partitioner = .key }
        #expect(harness.engine.topicsToCount == ["shop.orders"])
    }
}
