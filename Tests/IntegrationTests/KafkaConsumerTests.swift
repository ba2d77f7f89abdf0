import Delivery
import Foundation
import Kafka
import Testing

@Suite(RealKafka.available) struct `A consumer on a real Kafka` {
    @Test func `reports a topic that does not exist`() throws {
        let kafka = try RealKafka.shared()
        let topic = RealKafka.uniqueName("missing")
        let member = try KafkaMember(kafka, group: RealKafka.uniqueName(), topic: topic)
        #expect(
            turn(member) {
                member.failures.contains {
                    $0.code == "UNKNOWN_TOPIC_OR_PART" && $0.detail.contains(topic)
                }
            })
        member.consumer.close()
    }

    @Test func `ends when another member takes its group instance ID`() throws {
        let kafka = try RealKafka.shared()
        let topic = RealKafka.uniqueName()
        try kafka.createTopic(topic)
        let group = RealKafka.uniqueName()
        let first = try KafkaMember(kafka, group: group, topic: topic, instance: "one")
        #expect(turn(first) { !first.assigned.isEmpty })
        let second = try KafkaMember(kafka, group: group, topic: topic, instance: "one")
        #expect(turn(first, second) { first.failures.contains { $0.isFatal } })
        #expect(first.failures.last?.code == "FENCED_INSTANCE_ID")
        #expect(turn(second) { !second.assigned.isEmpty })
        first.consumer.close()
        second.consumer.close()
    }

    @Test func `waits until a revoked partition is released, whoever else joins`() throws {
        let kafka = try RealKafka.shared()
        let topic = RealKafka.uniqueName()
        try kafka.createTopic(topic, partitions: 4)
        let group = RealKafka.uniqueName()
        let first = try KafkaMember(kafka, group: group, topic: topic)
        first.givesUpAtOnce = false
        #expect(turn(first) { first.assigned.count == 4 })
        let second = try KafkaMember(kafka, group: group, topic: topic)
        #expect(turn(first, second) { first.revoking.count == 2 })
        let third = try KafkaMember(kafka, group: group, topic: topic)
        _ = turn(first, second, third, seconds: 8) { false }
        let pending = first.revoking
        #expect(pending.count == 2)
        #expect(first.lost.isEmpty)
        #expect(second.assigned.isEmpty && third.assigned.isEmpty)
        first.consumer.commit(
            pending.map { OffsetCommit(assignment: $0, next: 0, metadata: "last words") })
        #expect(turn(first, second, third) { !first.reports.isEmpty })
        #expect(first.reports.allSatisfy { $0.failure == nil })
        first.givesUpAtOnce = true
        first.consumer.release(pending)
        #expect(
            turn(first, second, third) {
                let owned = [first, second, third].map(\.owned)
                return owned.allSatisfy { !$0.isEmpty }
                    && Set(owned.flatMap(\.values)).count == 4
                    && owned.map(\.count).reduce(0, +) == 4
            })
        #expect((second.assigned + third.assigned).contains { $0.metadata == "last words" })
        for member in [first, second, third] { member.consumer.close() }
    }

    @Test func `closes while a revocation is pending`() throws {
        let kafka = try RealKafka.shared()
        let topic = RealKafka.uniqueName()
        try kafka.createTopic(topic, partitions: 2)
        let group = RealKafka.uniqueName()
        let first = try KafkaMember(kafka, group: group, topic: topic)
        first.givesUpAtOnce = false
        #expect(turn(first) { first.assigned.count == 2 })
        let second = try KafkaMember(kafka, group: group, topic: topic)
        #expect(turn(first, second) { !first.revoking.isEmpty })
        let clock = ContinuousClock()
        let start = clock.now
        first.consumer.close()
        #expect(clock.now - start < .seconds(5))
        #expect(turn(second) { second.owned.count == 2 })
        second.consumer.close()
    }

    @Test func `stores as many characters of metadata as completed offsets may take`() throws {
        let kafka = try RealKafka.shared()
        let topic = RealKafka.uniqueName()
        try kafka.createTopic(topic)
        let group = RealKafka.uniqueName()
        let member = try KafkaMember(kafka, group: group, topic: topic)
        #expect(turn(member) { !member.assigned.isEmpty })
        let done = CompletedOffsets(
            ranges: (0..<30_000 as Range<Int64>).map { (2 * $0 + 1)..<(2 * $0 + 2) })
        let text = done.text(from: 0)
        #expect(text.utf8.count > 10_000)
        member.consumer.commit(
            [OffsetCommit(assignment: member.assigned[0].id, next: 0, metadata: text)])
        #expect(turn(member) { !member.reports.isEmpty })
        #expect(member.reports.first?.failure == nil)
        member.consumer.close()
        let kept = try CommittedOffsets.read(
            properties: kafka.properties, group: group,
            partitions: [TopicPartition(topic: topic, partition: 0)])
        #expect(kept.map(\.metadata) == [text])
        #expect(kept.first.map { CompletedOffsets(text: $0.metadata, from: 0) } == done)
    }

    @Test func `resumes without a stall`() throws {
        let kafka = try RealKafka.shared()
        let topic = RealKafka.uniqueName()
        try kafka.createTopic(topic)
        let member = try KafkaMember(kafka, group: RealKafka.uniqueName(), topic: topic)
        #expect(turn(member) { !member.assigned.isEmpty })
        let clock = ContinuousClock()
        for round in 1...5 {
            member.consumer.pause(member.assigned.map(\.id))
            try fill(kafka, topic, count: 1, partitions: 1)
            #expect(!turn(member, seconds: 0.3) { member.count == round })
            let start = clock.now
            member.consumer.resume(member.assigned.map(\.id))
            #expect(turn(member) { member.count == round })
            #expect(clock.now - start < .milliseconds(500))
        }
        member.consumer.close()
    }

    @Test func `loses and repeats no record while members join and leave`() throws {
        let kafka = try RealKafka.shared()
        let topic = RealKafka.uniqueName()
        try kafka.createTopic(topic, partitions: 4)
        let group = RealKafka.uniqueName()
        var writer = try RecordWriter(properties: kafka.properties)
        var written = 0
        /// Keeps every member busy: some records more at each turn.
        func feed() throws {
            for _ in 0..<200 {
                try writer.write(topic, value: [0x78], partition: Int32(written % 4))
                written += 1
            }
        }
        let stayer = try KafkaMember(kafka, group: group, topic: topic)
        #expect(turn(stayer, seconds: 15) { stayer.assigned.count == 4 })
        for _ in 0..<6 {
            let guest = try KafkaMember(kafka, group: group, topic: topic)
            #expect(
                try turn(stayer, guest, seconds: 15) {
                    try feed()
                    return guest.count > 0
                })
            guest.commitAll()
            #expect(turn(stayer, guest, seconds: 15) { !guest.reports.isEmpty })
            guest.consumer.close()
            #expect(guest.broken.isEmpty)
            #expect(
                try turn(stayer, seconds: 15) {
                    try feed()
                    return stayer.owned.count == 4
                })
        }
        try writer.flush()
        let end = Int64(written / 4)
        #expect(
            turn(stayer) {
                stayer.assigned.allSatisfy {
                    stayer.owned[$0.id] == nil || stayer.next($0) == end
                }
            })
        #expect(stayer.broken.map(\.topicPartition) == [])
        stayer.consumer.close()
    }
}
