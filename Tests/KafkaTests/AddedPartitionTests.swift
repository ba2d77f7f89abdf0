import Delivery
import Testing

@testable import Kafka

@Suite struct `A partition without a committed offset` {
    /// Three partitions with a record each, and what a group that starts at the end has committed.
    private func cluster(_ committed: [Int32: String]) throws -> EmbeddedCluster {
        let cluster = try EmbeddedCluster.withOrders(partitions: 3)
        for partition in 0..<3 as Range<Int32> {
            try write(["old"], partition: partition, cluster.properties)
        }
        try GroupOffsets(properties: cluster.properties, group: "group").commit(
            committed.map { partition, metadata in
                CommittedOffset(
                    topicPartition: TopicPartition(topic: "orders", partition: partition), next: 1,
                    metadata: metadata)
            })
        return cluster
    }

    /// Where a member with `start: latest` starts, by partition.
    private func starts(_ cluster: EmbeddedCluster) throws -> [AssignedPartition] {
        let member = try Member(cluster.properties, start: .latest)
        #expect(turn(member) { member.assigned.count == 3 })
        let found = member.assigned.sorted {
            $0.topicPartition.partition < $1.topicPartition.partition
        }
        let read = found.filter { $0.committed == 0 }.count
        #expect(turn(member) { member.records.count == read })
        member.consumer.close()
        return found
    }

    @Test func `was added if the group began with fewer, and is read from its beginning`() throws {
        let cluster = try cluster([0: "n1;"])
        let found = try starts(cluster)
        #expect(found.map(\.committed) == [1, 0, 0])
        #expect(found.map(\.isAdded) == [false, true, true])
        #expect(found.map(\.partitionCount) == [1, 1, 1])
        // Whoever comes next starts there too, and knows as much.
        let partitions = (1..<3).map { TopicPartition(topic: "orders", partition: $0) }
        let stored = try CommittedOffsets.read(
            properties: cluster.properties, group: "group", partitions: partitions)
        #expect(stored.map(\.next) == [0, 0])
        #expect(stored.map(\.metadata) == ["n1;", "n1;"])
    }

    @Test func `follows the start of the group that a dead member has begun`() throws {
        let found = try starts(cluster([0: "n3;"]))
        #expect(found.map(\.committed) == [1, 1, 1])
        #expect(found.map(\.isAdded) == [false, false, false])
    }

    @Test func `was added if it comes after those that an older version has read`() throws {
        let found = try starts(cluster([0: "c1:0203", 1: ""]))
        #expect(found.map(\.committed) == [1, 1, 0])
        #expect(found.map(\.isAdded) == [false, false, true])
        #expect(found.map(\.partitionCount) == [2, 2, 2])
    }

    @Test func `follows the start of a new group, whose members begin together`() throws {
        let cluster = try cluster([:])
        cluster.delayAssignments()
        let first = try Member(cluster.properties, start: .latest)
        let second = try Member(cluster.properties, start: .latest)
        #expect(turn(first, second) {
            !first.owned.isEmpty && !second.owned.isEmpty
                && first.owned.count + second.owned.count == 3
        })
        #expect((first.assigned + second.assigned).allSatisfy { $0.committed == 1 && !$0.isAdded })
        let stored = try CommittedOffsets.read(
            properties: cluster.properties, group: "group",
            partitions: (0..<3).map { TopicPartition(topic: "orders", partition: $0) })
        #expect(stored.map(\.metadata) == ["n3;", "n3;", "n3;"])
        #expect(first.records.isEmpty && second.records.isEmpty)
        first.consumer.close()
        second.consumer.close()
    }

    @Test func `starts although the broker stores no metadata`() throws {
        let cluster = try EmbeddedCluster.withOrders(partitions: 1)
        try write(["old"], cluster.properties)
        cluster.failRequests(api: 8, codes: [12])
        let member = try Member(cluster.properties)
        #expect(turn(member) { member.records.count == 1 })
        #expect(member.failures.isEmpty)
        member.consumer.close()
    }
}

@Suite struct `An assignment that the library refuses` {
    @Test func `ends the member, as the group does not repeat it`() throws {
        let cluster = try EmbeddedCluster.withOrders()
        let member = try Member(cluster.properties)
        #expect(turn(member) { member.assigned.count == 1 })
        #expect(member.failures.isEmpty)
        unsafe member.consumer.state.pointee.groupAssigned([
            TopicPartition(topic: "orders", partition: 0)
        ])
        #expect(turn(member) { !member.failures.isEmpty })
        #expect(member.failures.map(\.isFatal) == [true])
        #expect(member.assigned.count == 1)
        member.consumer.close()
    }
}

@Suite struct `A partition that comes back` {
    @Test func `has the offset of this member unless another has read it`() throws {
        let cluster = try EmbeddedCluster.withOrders()
        try write(["a", "b", "c"], cluster.properties)
        let member = try Member(cluster.properties)
        #expect(turn(member) { member.records.count == 3 })
        let partitionStart = TopicPartition(topic: "orders", partition: 0)
        func comesBack(_ next: Int64, _ metadata: String) -> Bool {
            unsafe member.consumer.state.pointee.add(
                PartitionStart(partition: partitionStart, committed: next, metadata: metadata)
            ).isOwn
        }
        #expect(!member.assigned[0].isOwn)
        member.consumer.commit(
            [OffsetCommit(assignment: member.assigned[0].id, next: 2, metadata: "n1;")])
        #expect(turn(member) { member.reports.count == 1 })
        #expect(comesBack(2, "n1;"))
        #expect(!comesBack(3, "n1;"))
        member.consumer.close()
    }
}
