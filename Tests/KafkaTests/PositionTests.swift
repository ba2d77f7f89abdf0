import Delivery
import Kafka
import Testing

@Suite struct `A position that Kafka does not have` {
    /// Three records, and a group that has committed an offset far beyond them.
    private func cluster() throws -> EmbeddedCluster {
        let cluster = try EmbeddedCluster.withOrders()
        try write(["a", "b", "c"], cluster.properties)
        let member = try Member(cluster.properties)
        #expect(turn(member) { member.records.count == 3 })
        member.consumer.commit(
            [OffsetCommit(assignment: member.assigned[0].id, next: 500, metadata: "c1:0101")])
        #expect(turn(member) { member.reports.count == 1 })
        #expect(member.reports.map(\.failure) == [nil])
        member.consumer.close()
        return cluster
    }

    private func committed(_ cluster: EmbeddedCluster) throws -> [Int64?] {
        try CommittedOffsets.read(
            properties: cluster.properties, group: "group",
            partitions: [TopicPartition(topic: "orders", partition: 0)]
        ).map(\.next)
    }

    @Test(arguments: [StartPosition.earliest, .latest])
    func `is reported, and the partition is read from its beginning`(start: StartPosition) throws {
        let cluster = try cluster()
        let member = try Member(cluster.properties, start: start)
        #expect(turn(member) { member.records.count == 3 })
        try #require(member.assigned.count == 2)
        #expect(member.replaced == [member.assigned[0].id])
        #expect(member.assigned[0].committed == 500)
        #expect(member.assigned[1].committed == 0)
        #expect(member.assigned[1].metadata == "n1;")
        let reset = PositionReset(
            cause: .replaced, from: 500, to: 0, gone: 2, choice: .noTime)
        #expect(member.assigned[1].reset == reset)
        #expect(member.records.map(\.offset) == [0, 1, 2])
        #expect(member.records.allSatisfy { $0.assignment == member.assigned[1].id })
        #expect(try committed(cluster) == [0])
        #expect(member.failures.isEmpty)
        member.consumer.close()
    }

    @Test func `is not committed again under its old assignment`() throws {
        let cluster = try cluster()
        let member = try Member(cluster.properties)
        #expect(turn(member) { member.assigned.count == 2 })
        let old = OffsetCommit(assignment: member.assigned[0].id, next: 501, metadata: "")
        member.consumer.commit([old])
        #expect(turn(member) { member.reports.count == 1 })
        #expect(member.reports.first?.failure?.code == "_ASSIGNMENT_LOST")
        #expect(try committed(cluster) == [0])
        member.consumer.close()
    }

    @Test func `is reset in a paused partition, which stays paused`() throws {
        let cluster = try cluster()
        let member = try Member(cluster.properties)
        // Kafka rejects a position only when asked for it: an earlier pause is lifted briefly.
        var rounds = 0
        let isFound = turn(member) {
            guard member.assigned.count == 1 else { return member.assigned.count == 2 }
            rounds += 1
            if rounds % 20 == 0 {
                member.consumer.resume([member.assigned[0].id])
            } else if rounds % 20 == 1 {
                member.consumer.pause([member.assigned[0].id])
            }
            return false
        }
        try #require(isFound)
        member.consumer.pause([member.assigned[1].id])
        _ = turn(member, seconds: 0.3) { false }
        let before = member.records.count
        _ = turn(member, seconds: 0.5) { false }
        #expect(member.records.count == before)
        member.consumer.resume([member.assigned[1].id])
        #expect(turn(member) { member.records.count == 3 })
        member.consumer.close()
    }

    @Test func `is reset to the beginning if its partition was paused when the log went`() throws {
        let cluster = try cluster()
        let member = try Member(cluster.properties)
        #expect(turn(member) { member.assigned.count == 1 })
        let paused = [member.assigned[0].id]
        member.consumer.pause(paused)
        // Lets the consumer check whether the log has the offset; the partition stays paused.
        member.consumer.resume(paused)
        member.consumer.pause(paused)
        #expect(turn(member) { member.records.count == 3 })
        #expect(member.replaced == paused)
        member.consumer.close()
    }

    @Test func `is committed once after its reset, however late the coordinator responds`() throws {
        let cluster = try cluster()
        cluster.delayRequests(api: 8, milliseconds: 4000)
        cluster.delayRequests(api: 8, milliseconds: 0)
        let member = try Member(cluster.properties)
        #expect(turn(member) { member.records.count == 3 })
        #expect(cluster.scriptedResponses(api: 8) == 1)
        #expect(member.failures.contains { $0.code == "_TIMED_OUT" })
        #expect(try committed(cluster) == [0])
        member.consumer.close()
    }

    @Test func `is reset if its commit says that more was done than the log has`() throws {
        let cluster = try EmbeddedCluster.withOrders()
        try write(["a", "b", "c"], cluster.properties)
        let done = CompletedOffsets(ranges: [2..<40]).text(from: 1)
        try GroupOffsets(properties: cluster.properties, group: "group").commit([
            CommittedOffset(
                topicPartition: TopicPartition(topic: "orders", partition: 0), next: 1,
                metadata: "n1;" + done)
        ])
        let member = try Member(cluster.properties)
        #expect(turn(member) { member.replaced.count == 1 })
        let reset = try #require(member.assigned.last?.reset)
        #expect(reset.cause == .replaced && reset.to == 0 && reset.choice == .noTime)
        member.consumer.close()
    }

    @Test func `may be revoked before it is reset`() throws {
        let cluster = try cluster()
        let first = try Member(cluster.properties)
        #expect(turn(first) { !first.assigned.isEmpty })
        first.consumer.close()
        let second = try Member(cluster.properties)
        #expect(turn(second) { second.records.count == 3 })
        second.consumer.close()
    }
}

@Suite struct `A new consumer group` {
    @Test(arguments: [(StartPosition.earliest, Int64(0)), (.latest, 2)])
    func `commits its starting position before its first record`(
        start: StartPosition, offset: Int64
    ) throws {
        let cluster = try EmbeddedCluster.withOrders()
        try write(["a", "b"], cluster.properties)
        let member = try Member(cluster.properties, start: start)
        #expect(turn(member) { !member.assigned.isEmpty })
        #expect(member.assigned.map(\.committed) == [offset])
        let committed = try CommittedOffsets.read(
            properties: cluster.properties, group: "group",
            partitions: [TopicPartition(topic: "orders", partition: 0)])
        #expect(committed.map(\.next) == [offset])
        member.consumer.close()
    }

    @Test func `reads from the beginning if no record may be left out`() throws {
        let cluster = try EmbeddedCluster.withOrders()
        try write(["old"], cluster.properties)
        let member = try Member(
            cluster.properties, start: .latest, alwaysFromBeginning: ["orders"])
        #expect(turn(member) { !member.records.isEmpty })
        #expect(member.records.map(\.value) == ["old"])
        member.consumer.close()
    }

    @Test func `skips nothing written after its first start, though nothing was committed`()
        throws
    {
        let cluster = try EmbeddedCluster.withOrders()
        try write(["old"], cluster.properties)
        let first = try Member(cluster.properties, start: .latest)
        #expect(turn(first) { !first.assigned.isEmpty })
        try write(["new"], cluster.properties)
        first.consumer.close()
        let second = try Member(cluster.properties, start: .latest)
        #expect(turn(second) { !second.records.isEmpty })
        #expect(second.records.map(\.value) == ["new"])
        second.consumer.close()
    }

    @Test func `waits for its first record while its starting position cannot be committed`() throws
    {
        let cluster = try EmbeddedCluster.withOrders()
        try write(["a"], cluster.properties)
        cluster.failRequests(api: 8, codes: [30, 30])
        let member = try Member(cluster.properties)
        #expect(
            turn(member) { member.failures.contains { $0.code == "GROUP_AUTHORIZATION_FAILED" } })
        #expect(member.assigned.isEmpty)
        #expect(turn(member) { member.records.count == 1 })
        member.consumer.close()
    }
}
