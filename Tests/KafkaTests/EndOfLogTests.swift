import Delivery
import Testing

@testable import Kafka

/// From 2.2 to 2.13.1 librdkafka takes the end of a log for a record, where records are taken in
/// batches: then its position is one too far.
@Suite struct `A member at the end of its logs` {
    /// True once it was notified that each of its partitions has no more records.
    private func isAtEnd(_ member: Member) -> Bool {
        let slots = unsafe member.consumer.state.pointee.slots
        return !slots.isEmpty && slots.allSatisfy { $0.endedAt != nil }
    }

    @Test func `skips no record that is written while it is paused`() throws {
        let cluster = try EmbeddedCluster.withOrders()
        try write(["a"], cluster.properties)
        let member = try Member(cluster.properties)
        #expect(turn(member) { member.records.count == 1 && isAtEnd(member) })
        let ids = member.assigned.map(\.id)
        for round in 1...3 {
            member.consumer.pause(ids)
            try write(["b", "c"], cluster.properties)
            member.consumer.resume(ids)
            #expect(turn(member) { member.records.count == 1 + 2 * round && isAtEnd(member) })
        }
        #expect(member.records.map(\.offset) == Array(0..<7))
        member.consumer.close()
    }

    @Test func `skips no record that is written while partitions move`() throws {
        let cluster = try EmbeddedCluster.withOrders(partitions: 2)
        for partition in Int32(0)..<2 { try write(["a"], partition: partition, cluster.properties) }
        let first = try Member(cluster.properties)
        #expect(turn(first) { first.records.count == 2 && isAtEnd(first) })
        cluster.delayAssignments()
        let second = try Member(cluster.properties)
        #expect(
            turn(first, second, seconds: 60) { first.owned.count == 1 && second.owned.count == 1 })
        for partition in Int32(0)..<2 { try write(["b"], partition: partition, cluster.properties) }
        #expect(
            turn(first, second) {
                (0..<2).allSatisfy { partition in
                    let records = (first.records + second.records).filter {
                        $0.topicPartition.partition == Int32(partition)
                    }
                    return Set(records.map(\.offset)) == [0, 1]
                }
            })
        first.consumer.close()
        second.consumer.close()
    }
}
