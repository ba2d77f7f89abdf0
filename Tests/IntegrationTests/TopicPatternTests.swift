import Delivery
import Foundation
import Testing

@testable import Kafka

@Suite(RealKafka.available, .serialized) struct `A group that reads topics by a pattern` {
    private let prefix = RealKafka.uniqueName()
    private let group = RealKafka.uniqueName()

    private func topic(_ name: String) -> String { "\(prefix).\(name)" }

    private func member(
        _ kafka: RealKafka, start: StartPosition = .latest, instance: String? = nil
    ) throws -> KafkaMember {
        try KafkaMember(
            kafka, group: group, topic: "^\(prefix)\\..*", instance: instance, start: start,
            ["topic.metadata.refresh.interval.ms": "1000"])
    }

    private func create(_ kafka: RealKafka, _ name: String, records: Int, partitions: Int = 1)
        throws
    {
        try kafka.createTopic(topic(name), partitions: partitions)
        try fill(kafka, topic(name), count: records, partitions: partitions)
    }

    @Test func `begins at the end of those that match, whichever member has them`() throws {
        let kafka = try RealKafka.shared()
        for name in ["a", "b", "c"] { try create(kafka, name, records: 4, partitions: 2) }
        let first = try member(kafka)
        let second = try member(kafka)
        #expect(
            turn(first, second) {
                first.owned.count == 3 && second.owned.count == 3
            })
        #expect((first.assigned + second.assigned).allSatisfy { $0.committed == 2 && !$0.isAdded })
        #expect(first.count == 0 && second.count == 0)
        first.consumer.close()
        second.consumer.close()
    }

    @Test func `reads a later topic from its beginning, also after a stop`() throws {
        let kafka = try RealKafka.shared()
        try create(kafka, "a", records: 4)
        let first = try member(kafka)
        #expect(turn(first) { first.assigned.map(\.committed) == [4] })
        try create(kafka, "b", records: 4, partitions: 2)
        #expect(turn(first) { first.count == 4 })
        #expect(first.assigned.map(\.isAdded) == [false, true, true])
        first.commitAll(recordsCount: true)
        #expect(turn(first) { !first.reports.isEmpty })
        first.consumer.close()
        try create(kafka, "0", records: 2)
        let second = try member(kafka)
        #expect(turn(second) { second.count == 2 })
        #expect(second.assigned.filter(\.isAdded).map(\.topicPartition.topic) == [topic("0")])
        second.consumer.close()
    }

    @Test func `waits until one matches, and can be closed meanwhile`() throws {
        let kafka = try RealKafka.shared()
        let own = RealKafka.uniqueName()
        let first = try KafkaMember(kafka, group: own, topic: "^\(prefix)\\..*")
        _ = turn(first, seconds: 2) { !first.failures.isEmpty }
        #expect(first.failures.isEmpty)
        // A group reads no request to leave while it rebalances, as it may on a slow machine.
        #expect(turn(first, seconds: 60) { first.consumer.mayCommit })
        let hasLeft = first.consumer.close()
        #expect(hasLeft)
        let second = try member(kafka, start: .earliest)
        second.turn()
        try create(kafka, "a", records: 3)
        // The library looks for topics every 20 seconds, and a rebalance follows.
        #expect(turn(second, seconds: 120) { second.count == 3 })
        second.consumer.close()
    }

    @Test func `continues with the other topics after one is deleted, without a failure`() throws {
        let kafka = try RealKafka.shared()
        for name in ["a", "b"] { try create(kafka, name, records: 2) }
        let member = try member(kafka, start: .earliest)
        #expect(turn(member) { member.count == 4 })
        try kafka.deleteTopic(topic("b"))
        #expect(turn(member) { member.owned.values.map(\.topic) == [topic("a")] })
        try fill(kafka, topic("a"), count: 2, partitions: 1)
        #expect(turn(member) { member.count == 6 })
        #expect(member.failures.isEmpty)
        member.consumer.close()
    }

    @Test func `reads the other topics if one is deleted before its start is known`() throws {
        let kafka = try RealKafka.shared()
        try create(kafka, "b", records: 2)
        let member = try member(kafka, start: .earliest)
        #expect(turn(member) { member.count == 2 })
        try create(kafka, "a", records: 2)
        // The group assigns it, and the member is not notified before it is gone.
        let client = member.consumer.helper.client
        let end = ContinuousClock.now + .seconds(60)
        while client.assignedCounts(of: group, milliseconds: 2000)?[topic("a")] == nil {
            try #require(ContinuousClock.now < end)
            waitBeforeNextLook()
        }
        try kafka.deleteTopic(topic("a"))
        try fill(kafka, topic("b"), count: 2, partitions: 1)
        #expect(turn(member, seconds: 60) { member.count == 4 })
        #expect(turn(member, seconds: 60) { member.owned.values.map(\.topic) == [topic("b")] })
        #expect(member.failures.isEmpty, "\(member.failures)")
        member.consumer.close()
    }

    @Test func `has a member with a name that finds those that appeared while it was away`() throws
    {
        let kafka = try RealKafka.shared()
        try create(kafka, "a", records: 2)
        let first = try member(kafka, start: .earliest, instance: "one")
        #expect(turn(first) { first.count == 2 })
        first.commitAll()
        #expect(turn(first) { !first.reports.isEmpty })
        first.consumer.close()
        try create(kafka, "b", records: 3)
        let second = try member(kafka, start: .earliest, instance: "one")
        #expect(turn(second) { second.owned.count == 2 && second.count == 3 })
        second.consumer.close()
    }
}

@Suite(RealKafka.startable, .serialized) struct `A bridge that reads topics by a pattern` {
    /// Waits until the group has committed so many records of a topic's first partition.
    private func waitUntilCommitted(
        _ count: Int64, of topic: String, _ world: BridgeWorld, _ bridge: BridgeProcess
    ) throws {
        let partition = TopicPartition(topic: topic, partition: 0)
        let end = ContinuousClock.now + .seconds(120)
        while try CommittedOffsets.read(
            properties: world.properties, group: world.group, partitions: [partition])[0].next ?? 0
            < count
        {
            try #require(ContinuousClock.now < end, "\(bridge.logged)")
            waitBeforeNextLook()
        }
    }

    /// Writes events with a producer that ends: it would create the topic again.
    private func write(_ count: Int, to topic: String, _ world: BridgeWorld) throws {
        var writer = try RecordWriter(properties: world.properties)
        for number in 100..<(100 + count) {
            try writer.write(topic, value: BridgeWorld.event(number), partition: 0)
        }
        try writer.flush()
    }

    @Test func `sends what is in a new topic, and continues after that is deleted`() throws {
        // Such a broker creates every topic that somebody asks for.
        let kafka = try RealKafka.start(properties: ["auto.create.topics.enable=true"])
        let world = try BridgeWorld(.real(kafka), partitions: 2, readsByPattern: true)
        try world.publish(10)
        let bridge = try world.start()
        try world.waitUntilCommitted(10, while: bridge)
        let other = "\(world.source)-more"
        try kafka.createTopic(other, partitions: 2)
        try write(10, to: other, world)
        try waitUntilCommitted(10, of: other, world, bridge)
        try kafka.deleteTopic(other)
        try bridge.waitUntilLogged("topics that matched a pattern were deleted")
        try world.publish(10)
        try world.waitUntilCommitted(20, while: bridge)
        let found = try ClusterInspection.describe(
            properties: world.properties, topics: [],
            patterns: [try TopicPattern("^\(world.source)")], timeoutMilliseconds: 30_000)
        #expect(!found.matching.contains(other) && found.matching.contains(world.source))
        #expect(bridge.terminate() == 0)
        #expect(try world.readOutcomes().count == 30)
        let lines = bridge.logged.split(separator: "\n").filter { $0.contains(other) }
        #expect(lines.count == 2, "one when it appears, and one when it is gone: \(lines)")
        #expect(!bridge.logged.contains("does not exist"), "\(bridge.logged)")
    }

    @Test func `starts before a topic matches, and says so in one line`() throws {
        let kafka = try RealKafka.shared()
        let world = try BridgeWorld(
            .real(kafka), partitions: 2, readsByPattern: true, hasSource: false)
        let bridge = try world.start()
        try bridge.waitUntilLogged("no topic matches a pattern for now")
        #expect(bridge.terminate() == 0)
        let lines = bridge.logged.split(separator: "\n").filter {
            $0.contains(" warning ") || $0.contains(" error ") || $0.contains("pattern")
        }
        #expect(lines.filter { !$0.contains("not compacted") }.count == 1, "\(bridge.logged)")
    }
}
