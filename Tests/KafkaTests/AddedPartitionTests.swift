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
        #expect(
            turn(first, second) {
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

@Suite struct `A topic that matches a pattern` {
    /// Topics with a record each, and what a group that starts at the end has committed of them.
    private func cluster(_ topics: [String], committed: [String]) throws -> EmbeddedCluster {
        let cluster = try EmbeddedCluster()
        for topic in topics {
            try cluster.createTopic(topic, partitions: 1)
            var writer = try RecordWriter(properties: cluster.properties)
            try writer.write(topic, value: [0x78], partition: 0)
            try writer.flush()
        }
        guard !committed.isEmpty else { return cluster }
        try GroupOffsets(properties: cluster.properties, group: "group").commit(
            committed.map { topic in
                CommittedOffset(
                    topicPartition: TopicPartition(topic: topic, partition: 0), next: 1,
                    metadata: "n1;")
            })
        return cluster
    }

    /// Where a member with `start: latest` starts, by topic.
    private func starts(
        _ cluster: EmbeddedCluster, _ pattern: String, count: Int
    ) throws -> [String: Int64?] {
        let member = try Member(cluster.properties, topic: pattern, start: .latest)
        #expect(turn(member) { member.assigned.count == count })
        member.consumer.close()
        return Dictionary(
            uniqueKeysWithValues: member.assigned.map { ($0.topicPartition.topic, $0.committed) })
    }

    @Test func `is read from its beginning once the group has an offset of another one`() throws {
        let cluster = try cluster(["shop.a", "shop.b", "news"], committed: ["shop.b"])
        #expect(try starts(cluster, "^shop", count: 2) == ["shop.a": 0, "shop.b": 1])
    }

    @Test func `follows the start of a group that has an offset of no such topic`() throws {
        let cluster = try cluster(["shop.a", "shop.b", "news"], committed: ["news"])
        #expect(try starts(cluster, "^shop", count: 2) == ["shop.a": 1, "shop.b": 1])
        // Whoever comes next starts there, too.
        let stored = try CommittedOffsets.read(
            properties: cluster.properties, group: "group",
            partitions: ["shop.a", "shop.b"].map { TopicPartition(topic: $0, partition: 0) })
        #expect(stored.map(\.next) == [1, 1])
        #expect(stored.map(\.metadata) == ["n1;", "n1;"])
    }

    @Test func `is forgotten after it was deleted, once there are many`() throws {
        let cluster = try cluster(["shop.a"], committed: [])
        let member = try Member(cluster.properties, topic: "^shop")
        #expect(turn(member) { member.assigned.count == 1 })
        let owned = TopicPartition(topic: "shop.a", partition: 0)
        let assignments = unsafe member.consumer.owner.pointer
        let known = try #require(unsafe assignments.pointee.known[owned])
        for number in 0..<200 {
            let topic = "shop.old\(number)"
            unsafe assignments.pointee.known[TopicPartition(topic: topic, partition: 0)] = known
            #expect(unsafe assignments.pointee.topics?.handle(of: topic) != nil)
        }
        unsafe assignments.pointee.known[TopicPartition(topic: "pay", partition: 0)] = known
        unsafe assignments.pointee.forgetFormer(limit: 500)
        #expect(unsafe assignments.pointee.known.count == 202)
        #expect(unsafe assignments.pointee.topics?.count == 1)
        unsafe assignments.pointee.forgetFormer(limit: 100)
        let topics = unsafe Set(assignments.pointee.known.keys.map(\.topic))
        #expect(topics == ["shop.a", "pay"])
        var writer = try RecordWriter(properties: cluster.properties)
        try writer.write("shop.a", value: [0x79], partition: 0)
        try writer.flush()
        #expect(turn(member) { member.records.map(\.value) == ["x", "y"] })
        member.consumer.close()
    }

    /// A member that takes nothing: it has no partitions, and commits nothing by itself.
    private func member(_ cluster: EmbeddedCluster) throws -> Member {
        try Member(cluster.properties, topic: "^shop", start: .latest)
    }

    private let first = TopicPartition(topic: "shop.a", partition: 0)
    private let second = TopicPartition(topic: "shop.b", partition: 0)

    @Test func `has its start from one member, and the others wait for it`() throws {
        let cluster = try cluster(["shop.a", "shop.b"], committed: [])
        defer { withExtendedLifetime(cluster) {} }
        let member = try member(cluster)
        let waiting = member.consumer.helper.newTopics([second], without: [second])
        #expect(waiting.awaited == first && waiting.others.isEmpty && waiting.appeared.isEmpty)
        let late = member.consumer.helper.newTopics([second], without: [second], takesOver: true)
        #expect(late.awaited == nil && late.others == [first])
        let beginning = member.consumer.helper.newTopics([first], without: [first])
        #expect(beginning.awaited == nil && beginning.others == [second])
        let both = member.consumer.helper.newTopics([first, second], without: [first, second])
        #expect(both.awaited == nil && both.others.isEmpty && both.appeared.isEmpty)
        #expect(turn(member) { member.assigned.count == 2 })
        member.consumer.close()
    }

    @Test func `is awaited until one is assigned`() throws {
        let cluster = try cluster(["shop.a"], committed: [])
        defer { withExtendedLifetime(cluster) {} }
        let member = try member(cluster)
        let helper = member.consumer.helper
        #expect(!helper.awaitsTopics)
        #expect(helper.noteMissing("^shop") && helper.awaitsTopics)
        helper.noteAssigned([first])
        #expect(!helper.awaitsTopics)
        #expect(helper.noteMissing("^shop") && helper.awaitsTopics)
        // The group has partitions to distribute, even if this member gets none of them.
        helper.noteAssigned([])
        #expect(!helper.awaitsTopics && helper.patterns(of: [first]) == ["^shop"])
        #expect(!helper.noteMissing("pay"))
        member.consumer.close()
    }

    @Test func `has appeared unless its own start was committed a moment ago`() throws {
        let cluster = try cluster(["shop.a", "shop.b"], committed: ["shop.a"])
        defer { withExtendedLifetime(cluster) {} }
        let member = try member(cluster)
        let later = member.consumer.helper.newTopics([second], without: [second])
        #expect(later.awaited == nil && later.appeared == ["shop.b"])
        // It was committed after this member had asked for it.
        let late = member.consumer.helper.newTopics([first], without: [first])
        #expect(late.awaited == first && late.appeared.isEmpty)
        #expect(turn(member) { member.assigned.count == 2 })
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
