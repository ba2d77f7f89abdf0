import Delivery
import Foundation
import Kafka
import Testing

@Suite(RealKafka.available, .serialized) struct `A member with a name that comes back` {
    private func member(
        _ kafka: RealKafka, _ topic: String, _ group: String, _ name: String,
        also further: [String] = []
    ) throws -> KafkaMember {
        try KafkaMember(
            kafka, group: group, topic: topic, also: further, instance: name,
            ["session.timeout.ms": "60000"])
    }

    @Test func `reads the partitions that were added while it was away`() throws {
        let kafka = try RealKafka.shared()
        let (topic, group) = (RealKafka.uniqueName(), RealKafka.uniqueName())
        try kafka.createTopic(topic)
        try fill(kafka, topic, count: 3, partitions: 1)
        let first = try member(kafka, topic, group, "a")
        #expect(turn(first) { first.count == 3 })
        first.commitAll(recordsCount: true)
        #expect(turn(first) { !first.reports.isEmpty })
        // The group keeps its partitions for it.
        first.consumer.close()
        try grow(kafka, topic, to: 3)
        let second = try member(kafka, topic, group, "a")
        #expect(turn(second) { second.owned.count == 3 && second.count == 3 })
        #expect(second.broken.isEmpty)
        second.consumer.close()
    }

    @Test func `reads a topic that was added to its own while it was away`() throws {
        let kafka = try RealKafka.shared()
        let (topic, group) = (RealKafka.uniqueName(), RealKafka.uniqueName())
        let added = RealKafka.uniqueName()
        for name in [topic, added] { try kafka.createTopic(name) }
        try fill(kafka, added, count: 3, partitions: 1)
        let first = try member(kafka, topic, group, "a")
        #expect(turn(first) { first.owned.count == 1 })
        first.consumer.close()
        let second = try member(kafka, topic, group, "a", also: [added])
        #expect(turn(second) { second.owned.count == 2 && second.count == 3 })
        second.consumer.close()
    }

    @Test func `keeps its partitions without a rebalance if nothing was added`() throws {
        let kafka = try RealKafka.shared()
        let (topic, group) = (RealKafka.uniqueName(), RealKafka.uniqueName())
        try kafka.createTopic(topic, partitions: 2)
        let first = try member(kafka, topic, group, "a")
        let other = try member(kafka, topic, group, "b")
        #expect(turn(first, other) { first.owned.count == 1 && other.owned.count == 1 })
        let changes = other.assigned.count + other.revoking.count
        first.consumer.close()
        let second = try member(kafka, topic, group, "a")
        #expect(turn(second, other) { second.owned.count == 1 })
        _ = turn(second, other, seconds: 3) { false }
        #expect(second.assigned.count == 1 && second.revoking.isEmpty)
        #expect(other.assigned.count + other.revoking.count == changes)
        second.consumer.close()
        other.consumer.close()
    }

    @Test func `reads them together with others that stayed`() throws {
        let kafka = try RealKafka.shared()
        let (topic, group) = (RealKafka.uniqueName(), RealKafka.uniqueName())
        try kafka.createTopic(topic, partitions: 2)
        let first = try member(kafka, topic, group, "a")
        let other = try member(kafka, topic, group, "b")
        #expect(turn(first, other) { first.owned.count == 1 && other.owned.count == 1 })
        first.consumer.close()
        try grow(kafka, topic, to: 4)
        let second = try member(kafka, topic, group, "a")
        #expect(
            turn(second, other) {
                second.owned.count + other.owned.count == 4
                    && Set(second.owned.values).isDisjoint(with: other.owned.values)
            })
        second.consumer.close()
        other.consumer.close()
    }

    @Test func `reads on in what it paused before others came and went`() throws {
        let kafka = try RealKafka.shared()
        let (topic, group) = (RealKafka.uniqueName(), RealKafka.uniqueName())
        try kafka.createTopic(topic, partitions: 4)
        let first = try member(kafka, topic, group, "a")
        #expect(turn(first) { first.owned.count == 4 })
        first.consumer.pause(Array(first.owned.keys))
        let other = try member(kafka, topic, group, "b")
        #expect(turn(first, other) { first.owned.count == 2 && other.owned.count == 2 })
        try fill(kafka, topic, count: 40, partitions: 4)
        #expect(turn(other) { other.count == 20 })
        first.consumer.resume(Array(first.owned.keys))
        #expect(turn(first, other) { first.count == 20 })
        #expect(first.broken.isEmpty && other.broken.isEmpty)
        first.consumer.close()
        other.consumer.close()
    }
}
