import Delivery
import Synchronization
import Testing

@testable import Kafka

@Suite struct `A rebalance` {
    @Test func `waits until a revoked partition is released`() throws {
        for _ in 1...5 { if try revokes() { return } }
        Issue.record("the group began another rebalance each time")
    }

    /// False when the group began another rebalance before the revoked partition was committed: the
    /// mock cluster expels a member that is silent for four seconds, as on a machine that stalls,
    /// and gives its partitions to others.
    private func revokes() throws -> Bool {
        let cluster = try EmbeddedCluster.withOrders(partitions: 2)
        let first = try Member(cluster.properties)
        first.givesUpAtOnce = false
        #expect(turn(first) { first.assigned.count == 2 })
        cluster.delayAssignments()
        let second = try Member(cluster.properties)
        defer {
            first.consumer.close()
            second.consumer.close()
        }
        #expect(turn(first, second, seconds: 60) { !first.revoking.isEmpty })

        // It can still be committed, and its records are not handed over.
        let id = try #require(first.revoking.first)
        let failure = commit(id, of: first, beside: second)
        guard failure?.code != "ILLEGAL_GENERATION" else { return false }
        #expect(failure == nil)
        let partition = try #require(first.assigned.first { $0.id == id }).topicPartition
        try write(["late"], partition: partition.partition, cluster.properties)
        _ = turn(first, second, seconds: 5) { false }
        guard first.lost.isEmpty else { return false }
        #expect(first.records.isEmpty)
        #expect(second.assigned.isEmpty)

        first.consumer.release([id])
        #expect(turn(first, second, seconds: 60) { second.records.count == 1 })
        guard first.lost.isEmpty else { return false }
        #expect(second.assigned.map(\.topicPartition) == [partition])
        #expect(second.assigned.map(\.metadata) == ["last"])
        first.consumer.commit([OffsetCommit(assignment: id, next: 0, metadata: "too late")])
        #expect(turn(first) { first.reports.last?.failure?.code == "_ASSIGNMENT_LOST" })
        return true
    }

    /// Commits a revoked partition; nil when Kafka has stored that. A slow machine may keep the
    /// group in the rebalance for longer, which is tried again.
    private func commit(
        _ id: AssignmentID, of first: Member, beside second: Member
    ) -> KafkaFailure? {
        let end = ContinuousClock.now + .seconds(60)
        repeat {
            first.reports = []
            first.consumer.commit([OffsetCommit(assignment: id, next: 0, metadata: "last")])
            #expect(turn(first, second) { !first.reports.isEmpty })
        } while ContinuousClock.now < end
            && first.reports.first?.failure?.code == "REBALANCE_IN_PROGRESS"
        return first.reports.first?.failure
    }

    @Test func `notifies a member without partitions that there are none for it`() throws {
        let cluster = try EmbeddedCluster.withOrders(partitions: 1)
        let first = try Member(cluster.properties)
        #expect(turn(first) { first.assigned.count == 1 })
        cluster.delayAssignments()
        let second = try Member(cluster.properties)
        #expect(turn(first, second, seconds: 60) { second.assignments > 0 })
        #expect(first.owned.count + second.owned.count <= 1)
        first.consumer.close()
        second.consumer.close()
    }

    @Test func `may come while a revocation is pending`() throws {
        let cluster = try EmbeddedCluster.withOrders(partitions: 4)
        let first = try Member(cluster.properties)
        first.givesUpAtOnce = false
        #expect(turn(first) { first.assigned.count == 4 })
        cluster.delayAssignments()
        let second = try Member(cluster.properties)
        #expect(turn(first, second, seconds: 60) { first.revoking.count == 2 })
        let third = try Member(cluster.properties)
        _ = turn(first, second, third, seconds: 8) { false }
        first.givesUpAtOnce = true
        first.consumer.release(first.revoking)
        #expect(
            turn(first, second, third, seconds: 90) {
                let owned = [first, second, third].map(\.owned)
                return owned.allSatisfy { !$0.isEmpty } && owned.map(\.count).reduce(0, +) == 4
                    && Set(owned.flatMap(\.values)).count == 4
            })
        for member in [first, second, third] { member.consumer.close() }
    }

    @Test func `does not keep a member from closing while a revocation is pending`() throws {
        let cluster = try EmbeddedCluster.withOrders(partitions: 2)
        let first = try Member(cluster.properties)
        first.givesUpAtOnce = false
        #expect(turn(first) { first.assigned.count == 2 })
        cluster.delayAssignments()
        let second = try Member(cluster.properties)
        #expect(turn(first, second, seconds: 60) { !first.revoking.isEmpty })
        let clock = ContinuousClock()
        let start = clock.now
        first.consumer.close()
        #expect(clock.now - start < .seconds(5))
        #expect(turn(second, seconds: 60) { second.owned.count == 2 })
        second.consumer.close()
    }

    /// With a librdkafka that commits while it rejoins, nothing is waited for: the library leaves
    /// at once. With older ones it waits for two seconds, and ends without leaving the group.
    @Test func `does not keep a member from closing that waits to join`() throws {
        let cluster = try EmbeddedCluster.withOrders(partitions: 2)
        let first = try Member(cluster.properties)
        first.givesUpAtOnce = false
        #expect(turn(first, seconds: 60) { first.assigned.count == 2 })
        do {
            cluster.delayAssignments()
            // Only its log says that a member waits to join.
            var properties = cluster.properties
            properties["debug"] = "cgrp"
            let second = try Member(properties)
            #expect(
                turn(first, second, seconds: 60) { !first.revoking.isEmpty && !second.isJoining })
            // The first one does not rejoin before it has given up its partition: both others wait.
            let third = try Member(cluster.properties)
            #expect(turn(first, second, third, seconds: 60) { second.isJoining })
            // By a clock that advances whenever it is read.
            var time = 0
            second.hasLeft = second.consumer.close {
                time += 100
                return time
            }
            #expect(second.hasLeft != GroupPhase.isNeeded)
            #expect(time == (GroupPhase.isNeeded ? 2100 : 100))
            third.consumer.close()
        }
        first.consumer.release(first.revoking)
        first.consumer.close()
    }

    @Test func `moves a leaver's partitions to the remaining member, and loses no record`() throws {
        let cluster = try EmbeddedCluster.withOrders(partitions: 2)
        for partition in 0..<2 {
            try write(
                (0..<200).map { "\(partition)-\($0)" }, partition: Int32(partition),
                cluster.properties)
        }
        let first = try Member(cluster.properties)
        #expect(turn(first) { first.records.count == 400 })
        cluster.delayAssignments()
        let second = try Member(cluster.properties)
        #expect(
            turn(first, second, seconds: 60) { first.owned.count == 1 && second.owned.count == 1 })
        second.consumer.close()
        #expect(turn(first, seconds: 60) { first.owned.count == 2 })
        let before = first.records.count
        try write(["new"], partition: 0, cluster.properties)
        try write(["new"], partition: 1, cluster.properties)
        let new = { first.records.dropFirst(before).filter { $0.value == "new" } }
        #expect(turn(first) { new().count == 2 })
        first.consumer.close()
    }

    @Test func `does not hide that the log of a partition was replaced`() throws {
        let cluster = try EmbeddedCluster.withOrders(partitions: 2)
        let first = try Member(cluster.properties)
        #expect(turn(first) { first.assigned.count == 2 })
        for partition in Int32(0)..<2 {
            try write(["a", "b"], partition: partition, cluster.properties)
        }
        #expect(turn(first) { first.records.count == 4 })
        let helper = first.consumer.helper
        helper.state.withLock { state in
            // What the logs looked like before their topic was recreated.
            for partition in Int32(0)..<2 {
                state.highest[TopicPartition(topic: "orders", partition: partition)] = 500
            }
        }
        for partition in Int32(0)..<2 {
            try write(["c"], partition: partition, cluster.properties)
        }
        let poll = { _ = first.consumer.take(atMost: 512) { _ in } }
        #expect(turn { poll(); return helper.state.withLock { $0.replaced.count == 2 } })
        // The helper finds out where to continue, and before the member is notified, the group
        // takes one of the partitions away.
        for partition in helper.takeReplaced() {
            unsafe first.consumer.state.pointee.replaced(partition)
        }
        unsafe first.consumer.state.pointee.askForRestarts { _ in false }
        #expect(turn { helper.state.withLock { $0.restarted.count == 2 } })
        cluster.delayAssignments()
        let second = try Member(cluster.properties)
        #expect(turn(second) { poll(); return unsafe first.consumer.state.pointee.isRevoking })
        // One partition is read again in full. On a slow machine the member may lose both first.
        let before = first.records.count
        let isReadAgain = {
            (Int32(0)..<2).contains { partition in
                let again = first.records.dropFirst(before)
                    .filter { $0.topicPartition.partition == partition }
                return Set(again.map(\.offset)) == [0, 1, 2]
            }
        }
        #expect(turn(first, second, seconds: 60) { isReadAgain() })
        first.consumer.close()
        second.consumer.close()
    }

    /// What another member has read since is not compared with what this one knew before.
    @Test func `does not take a log that another member has read for a replaced one`() throws {
        let cluster = try EmbeddedCluster.withOrders(partitions: 2)
        for partition in Int32(0)..<2 {
            try write(["a", "b"], partition: partition, cluster.properties)
        }
        let first = try Member(cluster.properties)
        #expect(turn(first) { first.records.count == 4 })
        cluster.delayAssignments()
        let second = try Member(cluster.properties)
        #expect(turn(first, second, seconds: 60) { second.records.count == 2 })
        let moved = try #require(second.assigned.first)
        // Meanwhile the topic was recreated: the first member has known it longer.
        first.consumer.helper.state.withLock { $0.highest[moved.topicPartition] = 500 }
        second.consumer.commit([OffsetCommit(assignment: moved.id, next: 2, metadata: "")])
        #expect(turn(first, second) { second.reports.count == 1 })
        second.consumer.close()
        #expect(turn(first, seconds: 60) { first.owned.count == 2 })
        let helper = first.consumer.helper
        #expect(turn(first) { helper.state.withLock { $0.highest[moved.topicPartition] == 2 } })
        let before = first.records.count
        try write(["c"], partition: moved.topicPartition.partition, cluster.properties)
        #expect(turn(first) { first.records.count > before })
        #expect(first.records.dropFirst(before).map(\.offset) == [2])
        #expect(first.replaced.isEmpty)
        first.consumer.close()
    }

    @Test func `reports lost partitions`() throws {
        let cluster = try EmbeddedCluster.withOrders()
        let member = try Member(cluster.properties)
        #expect(turn(member) { !member.assigned.isEmpty })
        let id = member.assigned[0].id
        cluster.failRequests(api: 12, codes: [25])
        #expect(turn(member) { member.lost == [id] })
        member.consumer.commit([OffsetCommit(assignment: id, next: 1, metadata: "")])
        #expect(turn(member) { member.reports.last?.failure?.code == "_ASSIGNMENT_LOST" })
        #expect(turn(member) { member.assigned.count == 2 })
        #expect(member.assigned[1].id != id)
        member.consumer.close()
    }
}
