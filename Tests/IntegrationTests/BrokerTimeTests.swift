import Delivery
import EventLoop
import Foundation
import Kafka
import Testing

/// What brokers' clocks say, on a Kafka whose clock is that of this machine, and on one whose clock
/// is far from it.
@Suite(RealKafka.available, .serialized) struct `The time of a broker` {
    private static let minute: Int64 = 60_000

    private func makeTopics(_ kafka: RealKafka) throws -> (ours: String, theirs: String) {
        let names = (RealKafka.uniqueName(), RealKafka.uniqueName())
        try kafka.createTopic(names.0)
        try kafka.createTopic(
            names.1, configuration: ["message.timestamp.type=LogAppendTime"])
        return names
    }

    /// By how many milliseconds the time that a producer has received is ahead of this machine's.
    private func received(from kafka: RealKafka) throws -> Int64 {
        let (ours, theirs) = try makeTopics(kafka)
        let harness = try KafkaHarness(kafka)
        #expect(harness.publish([1], to: ours, ticket: 1) == .queued)
        #expect(harness.wait(for: 1))
        #expect(harness.brokerTime == nil, "the producer's own time proves nothing")
        let start = MonotonicClock.now
        #expect(harness.publish([1], to: theirs, ticket: 2) == .queued)
        #expect(harness.wait(for: 2))
        let found = try #require(harness.brokerTime)
        // It is rounded down to a millisecond.
        #expect(found.receivedAt > start - .milliseconds(2))
        #expect(found.receivedAt <= MonotonicClock.now)
        return found.time - WallClock.milliseconds
    }

    @Test func `is received by producers, and agrees with ours`() throws {
        #expect(abs(try received(from: .shared())) < Self.minute)
    }

    @Test(RealKafka.startable, ShiftedClock.available)
    func `is received by producers if it is far from ours`() throws {
        let kafka = try RealKafka.start {
            try ShiftedClock(in: $0, ahead: -7200).environment
        }
        defer { kafka.remove() }
        #expect(abs(try received(from: kafka) + 7_200_000) < Self.minute)
    }

    @Test func `comes with the first record after the end of a log, and with no other`() throws {
        let kafka = try RealKafka.shared()
        let (_, topic) = try makeTopics(kafka)
        try fill(kafka, topic, count: 10, partitions: 1)
        let member = try KafkaMember(kafka, group: RealKafka.uniqueName(), topic: topic)
        #expect(turn(member) { member.count == 10 })
        // The backlog may be old.
        #expect(member.appended.isEmpty)
        let end = MonotonicClock.now
        #expect(turn(member) { MonotonicClock.now - end > .seconds(2) })
        try fill(kafka, topic, count: 10, partitions: 1)
        #expect(turn(member) { member.count == 20 })
        #expect(member.appended.keys.sorted() == [10])
        let first = try #require(member.appended[10])
        #expect(abs(first.time - WallClock.milliseconds) < Self.minute)
        #expect(first.notBefore > end - .seconds(2) && first.notBefore < MonotonicClock.now)
        member.consumer.close()
    }

    @Test func `comes with no record whose time is the producer's`() throws {
        let kafka = try RealKafka.shared()
        let (topic, _) = try makeTopics(kafka)
        let member = try KafkaMember(kafka, group: RealKafka.uniqueName(), topic: topic)
        #expect(turn(member) { !member.assigned.isEmpty })
        let end = MonotonicClock.now
        #expect(turn(member) { MonotonicClock.now - end > .seconds(2) })
        try fill(kafka, topic, count: 3, partitions: 1)
        #expect(turn(member) { member.count == 3 })
        #expect(member.appended.isEmpty)
        member.consumer.close()
    }

    @Test func `comes with no record that waited for the end of a transaction`() throws {
        let kafka = try RealKafka.shared()
        let (_, topic) = try makeTopics(kafka)
        var writer = try RecordWriter(
            properties: kafka.properties, transactionalID: RealKafka.uniqueName())
        try writer.prepareTransactions(timeoutMilliseconds: 30_000)
        try writer.begin()
        try writer.write(topic, value: [1], partition: 0)
        try writer.flush(timeoutMilliseconds: 30_000)
        try fill(kafka, topic, count: 1, partitions: 1)
        let member = try KafkaMember(kafka, group: RealKafka.uniqueName(), topic: topic)
        #expect(turn(member) { !member.assigned.isEmpty })
        let end = MonotonicClock.now
        #expect(turn(member) { MonotonicClock.now - end > .seconds(2) })
        #expect(member.count == 0)
        try writer.abort()
        #expect(turn(member) { member.count == 1 })
        #expect(member.appended.isEmpty)
        member.consumer.close()
    }
}
