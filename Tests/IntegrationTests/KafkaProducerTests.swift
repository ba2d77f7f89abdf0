import Delivery
import Foundation
import Kafka
import Testing

@Suite(RealKafka.available) struct `A producer on a real Kafka` {
    @Test func `reports a record that is too large, and continues`() throws {
        let kafka = try RealKafka.shared()
        let topic = RealKafka.uniqueName()
        try kafka.createTopic(topic)
        let harness = try KafkaHarness(kafka)
        let noise = (0..<3_000_000).map { _ in UInt8.random(in: 0...255) }
        #expect(harness.publish(noise, to: topic, ticket: 1) == .queued)
        #expect(harness.wait(for: 1))
        #expect(harness.ended[1] == .tooLarge)
        #expect(harness.publish([1], to: topic, ticket: 2) == .queued)
        #expect(harness.wait(for: 2))
        #expect(harness.ended[2] == .stored)
        #expect(!harness.failures.contains { $0.isFatal })
    }

    @Test func `stores small records even if the topic rejects their batches`() throws {
        let kafka = try RealKafka.shared()
        let topic = RealKafka.uniqueName()
        try kafka.createTopic(topic, configuration: ["max.message.bytes=2000"])
        let harness = try KafkaHarness(kafka)
        func noise(_ count: Int) -> [UInt8] { (0..<count).map { _ in .random(in: 0...255) } }
        for ticket in 0..<200 as Range<UInt64> {
            let size = ticket == 100 ? 3000 : 500
            #expect(harness.publish(noise(size), to: topic, ticket: ticket) == .queued)
        }
        #expect(harness.wait(for: 200, seconds: 60))
        #expect(harness.ended.filter { $0.value != .stored }.keys.elementsEqual([100]))
        #expect(harness.ended[100] == .tooLarge)
        let stored = try TopicReader(properties: kafka.properties).readAll(topic)
        #expect(stored.count == 199)
        #expect(stored.allSatisfy { $0.value?.count == 500 })
        #expect(harness.failures.contains { $0.detail.contains("raise max.message.bytes") })
        harness.producer.close()
    }

    @Test func `reports a topic that does not exist`() throws {
        let kafka = try RealKafka.shared()
        let topic = RealKafka.uniqueName("missing")
        // The library gives a topic that has just been created half a minute to appear.
        let harness = try KafkaHarness(kafka, ["topic.metadata.propagation.max.ms": "500"])
        let result = harness.publish([1], to: topic, ticket: 1)
        if result == .queued {
            #expect(harness.wait(for: 1, seconds: 60))
            guard case .failed(let failure) = harness.ended[1] else {
                Issue.record("\(harness.ended)")
                return
            }
            #expect(["_UNKNOWN_TOPIC", "UNKNOWN_TOPIC_OR_PART"].contains(failure.code))
        }
        let found = try ClusterInspection.describe(
            properties: kafka.properties, topics: [topic], timeoutMilliseconds: 5000)
        guard case .failed(let failure) = found.topics[topic] else {
            Issue.record("\(found)")
            return
        }
        #expect(failure.code == "UNKNOWN_TOPIC_OR_PART")
    }
}

@Suite(RealKafka.startable) struct `A Kafka that stops and starts` {
    @Test func `keeps acknowledged records, and its members and producers resume`() throws {
        let kafka = try RealKafka.start()
        defer { kafka.remove() }
        let topic = RealKafka.uniqueName()
        try kafka.createTopic(topic)
        let harness = try KafkaHarness(kafka)
        // A busy machine may need longer for a start than a member is missed by default here.
        let member = try KafkaMember(
            kafka, group: "g", topic: topic, ["session.timeout.ms": "60000"])
        #expect(harness.publish([1], to: topic, ticket: 1) == .queued)
        #expect(harness.wait(for: 1))
        #expect(turn(member) { member.count == 1 })
        kafka.kill()
        #expect(harness.publish([2], to: topic, ticket: 2) == .queued)
        #expect(turn(member) { member.failures.contains { $0.code == "_ALL_BROKERS_DOWN" } })
        try kafka.restart()
        #expect(harness.wait(for: 2, seconds: 30))
        #expect(harness.ended.values.allSatisfy { $0 == .stored })
        #expect(
            turn(member) { member.count == 2 },
            "\(member.offsets) \(member.lost) \(member.failures.suffix(3))")
        #expect(member.broken.map(\.topicPartition) == [])
        member.commitAll()
        #expect(turn(member) { !member.reports.isEmpty })
        member.consumer.close()
    }
}
