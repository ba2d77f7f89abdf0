import Delivery
import Kafka
import Testing

@Suite struct `A commit to Kafka` {
    @Test func `is rejected for a partition that the member does not own`() throws {
        let cluster = try EmbeddedCluster.withOrders()
        let member = try Member(cluster.properties)
        member.consumer.commit([OffsetCommit(assignment: AssignmentID(7), next: 1, metadata: "")])
        member.turn()
        #expect(member.reports.map(\.failure?.code) == ["_ASSIGNMENT_LOST"])
        member.consumer.close()
    }

    @Test func `reports the coordinator's rejection`() throws {
        let cluster = try EmbeddedCluster.withOrders()
        let member = try Member(cluster.properties)
        #expect(turn(member) { !member.assigned.isEmpty })
        cluster.failRequests(api: 8, codes: [30])
        member.consumer.commit(
            [OffsetCommit(assignment: member.assigned[0].id, next: 1, metadata: "")])
        #expect(turn(member) { !member.reports.isEmpty })
        #expect(member.reports.first?.failure?.code == "GROUP_AUTHORIZATION_FAILED")
        member.consumer.close()
    }

    @Test func `is seen by the next member, with its metadata`() throws {
        let cluster = try EmbeddedCluster.withOrders(partitions: 2)
        try write(["a", "b", "c"], partition: 0, cluster.properties)
        try write(["d"], partition: 1, cluster.properties)
        let first = try Member(cluster.properties)
        #expect(turn(first) { first.records.count == 4 })
        let zero = try #require(first.owned.first { $0.value.partition == 0 }?.key)
        first.consumer.commit([OffsetCommit(assignment: zero, next: 2, metadata: "1:äb")])
        #expect(turn(first) { !first.reports.isEmpty })
        #expect(first.reports.map(\.failure) == [nil])
        #expect(first.reports.first?.commits.map(\.next) == [2])
        first.consumer.close()

        let partitions = [0, 1].map { TopicPartition(topic: "orders", partition: $0) }
        let committed = try CommittedOffsets.read(
            properties: cluster.properties, group: "group", partitions: partitions)
        #expect(committed.map(\.next) == [2, 0])
        #expect(committed.map(\.metadata) == ["1:äb", "n2;"])

        let second = try Member(cluster.properties)
        #expect(turn(second) { second.records.count == 2 })
        let found = second.assigned.sorted {
            $0.topicPartition.partition < $1.topicPartition.partition
        }
        #expect(found.map(\.committed) == [2, 0])
        #expect(found.map(\.metadata) == ["1:äb", "n2;"])
        #expect(found.map(\.partitionCount) == [2, 2])
        #expect(Set(second.records.map(\.value)) == ["c", "d"])
        second.consumer.close()
    }
}
