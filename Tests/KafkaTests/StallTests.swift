import CRDKafka
import Delivery
import Testing

@testable import Kafka

@Suite struct `A stall` {
    private func member(_ cluster: EmbeddedCluster, limit: Int) throws -> Member {
        Member(
            try Consumer(
                properties: [
                    "bootstrap.servers": cluster.bootstrapServers, "session.timeout.ms": "4000",
                    "heartbeat.interval.ms": "200", "fetch.wait.max.ms": "10",
                ],
                group: "group", topics: ["orders"], start: .earliest, alwaysFromBeginning: [],
                instance: nil, stallLimit: limit))
    }

    @Test func `of a partition with lag that is not paused is logged, and it is reassigned`()
        throws
    {
        let cluster = try EmbeddedCluster.withOrders(partitions: 2)
        try write(["a"], cluster.properties)
        let member = try member(cluster, limit: 1000)
        #expect(turn(member) { member.records.count == 1 })
        // librdkafka is paused behind the consumer's back.
        let list = PartitionList([TopicPartition(topic: "orders", partition: 0)])
        unsafe rd_kafka_pause_partitions(member.consumer.client.pointer, list.pointer)
        try write(["b", "c"], cluster.properties)
        #expect(turn(member) { member.records.count == 3 })
        #expect(member.records.map(\.offset) == [0, 1, 2])
        #expect(member.replaced.isEmpty)
        let reported = member.failures.filter { $0.code == "_TIMED_OUT" }
        #expect(reported.count == 1)
        #expect(reported.first?.detail.contains("orders/0") == true)
        #expect(reported.first?.detail.contains("position is 1") == true)
        #expect(reported.first?.detail.contains("ends at 3") == true)
        member.consumer.close()
    }

    @Test func `is not reported for a partition that is paused, not asked for, or read`() throws {
        let cluster = try EmbeddedCluster.withOrders()
        try write(["a", "b"], cluster.properties)
        let member = try member(cluster, limit: 400)
        member.limit = 1
        #expect(turn(member) { member.records.count == 1 })
        member.limit = 0
        _ = turn(member, seconds: 1.5) { false }
        member.limit = 10
        #expect(turn(member) { member.records.count == 2 })
        _ = turn(member, seconds: 1.5) { false }
        member.consumer.pause(member.assigned.map(\.id))
        try write(["c"], cluster.properties)
        _ = turn(member, seconds: 1.5) { false }
        #expect(member.failures.isEmpty)
        #expect(member.records.count == 2)
        member.consumer.close()
    }

    @Test func `of nothing hides how far the log of a paused partition grows`() throws {
        let cluster = try EmbeddedCluster.withOrders()
        try write(["a"], cluster.properties)
        let member = try member(cluster, limit: 400)
        #expect(turn(member) { member.records.count == 1 })
        let partition = member.assigned[0].id
        member.consumer.pause([partition])
        try write(["b", "c"], cluster.properties)
        #expect(turn(member) { member.consumer.end(of: partition) == 3 })
        member.consumer.resume([partition])
        #expect(turn(member) { member.records.count == 3 })
        #expect(member.consumer.end(of: partition) == 3)
        member.consumer.close()
    }

    @Test func `of a commit is reported as a failed commit`() throws {
        let cluster = try EmbeddedCluster.withOrders()
        try write(["a"], cluster.properties)
        let member = try member(cluster, limit: 3000)
        #expect(turn(member) { member.records.count == 1 })
        cluster.delayRequests(api: 8, milliseconds: 4000)
        let commit = OffsetCommit(assignment: member.assigned[0].id, next: 1, metadata: "")
        member.consumer.commit([commit])
        #expect(turn(member) { !member.reports.isEmpty })
        #expect(member.reports.first?.failure?.detail.contains("did not finish within 3 s") == true)
        #expect(member.reports.first?.commits == [commit])
        // Its late result is ignored.
        member.consumer.commit([commit])
        #expect(turn(member) { member.reports.count == 2 })
        #expect(member.reports.last?.failure == nil)
        _ = turn(member, seconds: 1) { false }
        #expect(member.reports.count == 2)
        member.consumer.close()
    }
}
