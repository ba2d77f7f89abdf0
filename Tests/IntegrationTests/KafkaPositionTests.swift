import Delivery
import Foundation
import Kafka
import Testing

@Suite(RealKafka.available, .serialized) struct `A log that changes under its reader` {
    /// A topic with records, and a member that has read all of them and committed that.
    private func read(_ kafka: RealKafka, _ topic: String, _ group: String) throws -> KafkaMember {
        try kafka.createTopic(topic)
        try fill(kafka, topic, count: 100, partitions: 1)
        let member = try KafkaMember(kafka, group: group, topic: topic)
        #expect(turn(member) { member.count == 100 })
        member.commitAll()
        #expect(turn(member) { !member.reports.isEmpty })
        return member
    }

    /// Deletes a topic and recreates it at once.
    private func replace(_ kafka: RealKafka, _ topic: String) throws {
        try kafka.deleteTopic(topic)
        // Kafka forgets the name only a moment after its response.
        let end = ContinuousClock.now + .seconds(20)
        while true {
            do { return try kafka.createTopic(topic) } catch {
                if ContinuousClock.now > end { throw error }
            }
        }
    }

    private func removeRecords(_ kafka: RealKafka, _ topic: String, below offset: Int) throws {
        let file = FileManager.default.temporaryDirectory.appending(path: "\(topic).json")
        defer { try? FileManager.default.removeItem(at: file) }
        let wish = #"{"partitions":[{"topic":"\#(topic)","partition":0,"offset":\#(offset)}]}"#
        try Data(wish.utf8).write(to: file)
        try kafka.tool(
            "kafka-run-class.sh",
            [
                "org.apache.kafka.tools.DeleteRecordsCommand", "--bootstrap-server",
                kafka.bootstrapServers, "--offset-json-file", file.path,
            ])
    }

    @Test func `that was recreated is read from its beginning while its reader runs`() throws {
        let kafka = try RealKafka.shared()
        let topic = RealKafka.uniqueName()
        let member = try read(kafka, topic, RealKafka.uniqueName())
        try replace(kafka, topic)
        try fill(kafka, topic, count: 10, partitions: 1)
        #expect(turn(member, seconds: 60) { member.count == 110 })
        let last = try #require(member.assigned.last)
        #expect(member.offsets[last.id] == Array(0..<10))
        #expect(last.reset?.cause == .replaced)
        #expect(last.reset?.from == 100)
        #expect(last.reset?.to == 0)
        member.consumer.close()
    }

    @Test func `that was recreated is read from its beginning after a restart`() throws {
        let kafka = try RealKafka.shared()
        let topic = RealKafka.uniqueName()
        let group = RealKafka.uniqueName()
        try read(kafka, topic, group).consumer.close()
        try replace(kafka, topic)
        try fill(kafka, topic, count: 10, partitions: 1)
        let member = try KafkaMember(kafka, group: group, topic: topic)
        #expect(turn(member) { member.count == 10 })
        #expect(member.offsets.values.first == Array(0..<10))
        member.consumer.close()
    }

    @Test func `that lost its end is read on a minute before the last finished record`() throws {
        let kafka = try RealKafka.shared()
        let (topic, group) = (RealKafka.uniqueName(), RealKafka.uniqueName())
        try kafka.createTopic(topic)
        let now = Int64(Date().timeIntervalSince1970 * 1000)
        var writer = try RecordWriter(properties: kafka.properties)
        for index in 0..<100 as Range<Int64> {
            let time = now - (index < 90 ? 600_000 : 30_000)
            try writer.write(topic, value: [0x78], partition: 0, timestamp: time)
        }
        try writer.flush(timeoutMilliseconds: 30_000)
        // As a group that has finished a record which the broker does not have any more.
        try GroupOffsets(properties: kafka.properties, group: group).commit([
            CommittedOffset(
                topicPartition: TopicPartition(topic: topic, partition: 0), next: 101,
                metadata: LogMark(partitionCount: 1, time: now).text)
        ])
        let member = try KafkaMember(kafka, group: group, topic: topic)
        #expect(turn(member) { member.count == 10 })
        let last = try #require(member.assigned.last)
        #expect(member.offsets[last.id] == Array(90..<100))
        #expect(last.reset?.choice == .time(now - 60_000))
        #expect(last.metadata == LogMark(partitionCount: 1, time: now).text)
        member.consumer.close()
    }

    /// A topic with three records, and what makes members that soon see how it grows.
    private func growing(
        isOwn: Bool
    ) throws -> (RealKafka, topic: String, member: () throws -> KafkaMember) {
        let kafka = try RealKafka.shared()
        let (topic, group) = (RealKafka.uniqueName(), RealKafka.uniqueName())
        try kafka.createTopic(topic)
        try fill(kafka, topic, count: 3, partitions: 1)
        return (
            kafka, topic,
            {
                try KafkaMember(
                    kafka, group: group, topic: topic, start: .latest, isOwn: isOwn,
                    ["topic.metadata.refresh.interval.ms": "1000"])
            }
        )
    }

    @Test func `that is a retry topic loses nothing when it grows, whatever start says`() throws {
        let (kafka, topic, member) = try growing(isOwn: true)
        let first = try member()
        #expect(turn(first) { first.count == 3 })
        try grow(kafka, topic, to: 2)
        #expect(turn(first) { first.count == 5 })
        first.commitAll(recordsCount: true)
        #expect(turn(first) { !first.reports.isEmpty })
        first.consumer.close()
        try grow(kafka, topic, to: 3)
        let second = try member()
        #expect(turn(second) { second.count == 3 })
        second.consumer.close()
    }

    @Test func `has partitions that were added while its reader ran, and while none did`() throws {
        let (kafka, topic, member) = try growing(isOwn: false)
        let first = try member()
        #expect(turn(first) { first.assigned.map(\.committed) == [3] })
        try grow(kafka, topic, to: 2)
        #expect(turn(first) { first.count == 2 })
        #expect(first.assigned.map(\.committed) == [3, 0])
        #expect(first.assigned.map(\.isAdded) == [false, true])
        first.commitAll(recordsCount: true)
        #expect(turn(first) { !first.reports.isEmpty })
        first.consumer.close()
        try grow(kafka, topic, to: 3)
        let second = try member()
        #expect(turn(second) { second.count == 3 })
        let added = second.assigned.filter(\.isAdded)
        #expect(added.map(\.topicPartition.partition) == [2] && added.map(\.committed) == [0])
        #expect(second.assigned.allSatisfy { $0.partitionCount == 1 })
        second.consumer.close()
    }

    @Test func `is read on after expired records, whose number is reported`() throws {
        let kafka = try RealKafka.shared()
        let topic = RealKafka.uniqueName()
        let group = RealKafka.uniqueName()
        try read(kafka, topic, group).consumer.close()
        try fill(kafka, topic, count: 100, partitions: 1)
        try removeRecords(kafka, topic, below: 150)
        let member = try KafkaMember(kafka, group: group, topic: topic)
        #expect(turn(member) { member.count == 50 })
        try #require(member.assigned.count == 2)
        let reset = PositionReset(cause: .expired, from: 100, to: 150, gone: 50)
        #expect(member.assigned[1].reset == reset)
        #expect(member.offsets[member.assigned[1].id] == Array(150..<200))
        #expect(member.replaced == [member.assigned[0].id])
        member.consumer.close()
    }

    @Test func `is reported with the number of records that expire while nothing is read`() throws {
        let kafka = try RealKafka.shared()
        let topic = RealKafka.uniqueName()
        let member = try read(kafka, topic, RealKafka.uniqueName())
        member.consumer.pause([member.assigned[0].id])
        member.turn()
        try fill(kafka, topic, count: 100, partitions: 1)
        try removeRecords(kafka, topic, below: 150)
        member.consumer.resume([member.assigned[0].id])
        #expect(turn(member) { member.count == 150 })
        try #require(member.assigned.count == 2)
        #expect(member.assigned[1].reset?.gone == 50)
        #expect(member.offsets[member.assigned[1].id] == Array(150..<200))
        member.consumer.close()
    }

    @Test func `that was recreated and is now longer is read from its beginning`() throws {
        let kafka = try RealKafka.shared()
        let topic = RealKafka.uniqueName()
        try kafka.createTopic(topic)
        try fill(kafka, topic, count: 1000, partitions: 1)
        let member = try KafkaMember(kafka, group: RealKafka.uniqueName(), topic: topic)
        member.limit = 10
        #expect(turn(member) { member.count >= 100 })
        let id = member.assigned[0].id
        member.consumer.pause([id])
        _ = turn(member, seconds: 1) { false }
        let position = try #require(member.offsets[id]?.last)
        try #require(position < 500)
        try replace(kafka, topic)
        try fill(kafka, topic, count: 600, partitions: 1)
        member.consumer.resume([id])
        member.limit = 512
        #expect(
            turn(member, seconds: 60) {
                // Until that is noticed, its records come under the old assignment.
                member.assigned.count > 1 && member.offsets[member.assigned[1].id]?.count == 600
            })
        try #require(member.assigned.count > 1)
        #expect(member.offsets[member.assigned[1].id] == Array(0..<600))
        #expect(member.assigned[1].reset?.cause == .replaced)
        #expect(member.assigned[1].reset?.from ?? 0 > position)
        member.consumer.close()
    }

    @Test func `that is recreated while it is paused is noticed before it grows past its end`()
        throws
    {
        let kafka = try RealKafka.shared()
        let (topic, group) = (RealKafka.uniqueName(), RealKafka.uniqueName())
        try read(kafka, topic, group).consumer.close()
        try fill(kafka, topic, count: 100, partitions: 1)
        let member = try KafkaMember(kafka, group: group, topic: topic)
        #expect(turn(member) { member.count == 100 })
        member.consumer.pause([member.assigned[0].id])
        member.turn()
        try replace(kafka, topic)
        try fill(kafka, topic, count: 50, partitions: 1)
        #expect(turn(member, seconds: 120) { member.assigned.count == 2 })
        let new = try #require(member.assigned.last).id
        try fill(kafka, topic, count: 350, partitions: 1)
        #expect(turn(member) { member.offsets[new]?.count == 400 })
        #expect(member.offsets[new] == Array(0..<400))
        member.consumer.close()
    }
}
