internal import Delivery

/// What a record source promises to several members of a group.
extension ConformanceTrial {
    private static let partitions = Int32(4)

    func rebalance() throws {
        for _ in 1...3 {
            if try hasRebalancedInTime() { return }
            closeAll()
        }
        expect(false, "the group continued without its first member three times")
    }

    /// False if Kafka continued without the first member because it was slow to give up its
    /// partitions, after which nothing of the promise can be seen.
    private func hasRebalancedInTime() throws -> Bool {
        let topic = try topic(partitions: Self.partitions, records: 10)
        let first = try join(topic)
        turn("all records come") { first.records.count >= 40 }
        let second = try join(topic)
        turn("partitions are revoked") { !first.revoking.isEmpty }
        let moving = first.assigned.filter { first.revoking.contains($0.id) }
        for partition in moving {
            let number = partition.topicPartition.partition
            let failure = commitLast(
                first, partition.id, next: 6, metadata: "last of \(number)")
            if let code = failure?.code, Self.leftBehind.contains(code) { return false }
            expect(failure == nil, "the last commit failed: \(String(describing: failure))")
            try append(2, to: topic, number, from: 10)
        }
        turn(seconds: 1)
        expect(second.assigned.isEmpty, "assigned before it was given up: \(second.assigned)")
        expect(first.records.count == 40, "records of revoked partitions came")
        first.release(first.revoking)
        turn("the other member gets them") { second.held.count == moving.count }
        turn("the rest comes") { second.records.count >= 6 * moving.count }
        for partition in moving {
            let number = partition.topicPartition.partition
            let new = second.assigned.first { $0.topicPartition == partition.topicPartition }
            expect(new?.committed == 6, "assigned: \(String(describing: new))")
            expect(new?.metadata == "last of \(number)", "assigned: \(String(describing: new))")
            let offsets = second.offsets(number)
            expect(offsets == Array(6..<12), "offsets: \(offsets)")
        }
        if let old = moving.first {
            let late = commit(first, old.id, next: 7)
            expect(late?.failure != nil, "a commit was accepted after the partition was given up")
        }
        let areDisjoint = Set(first.held.keys).isDisjoint(with: second.held.keys)
        expect(areDisjoint, "a partition has two owners")
        closeAll()
        return true
    }

    /// What Kafka answers to a member that its group has left behind.
    private static let leftBehind: Set = ["ILLEGAL_GENERATION", "UNKNOWN_MEMBER_ID"]

    /// The last commit of a revoked partition is repeated, as by a worker, while another member
    /// joins.
    private func commitLast(
        _ member: ObservedSource, _ id: AssignmentID, next: Int64, metadata: String
    ) -> KafkaFailure? {
        let end = kafka.now + .seconds(20)
        var failure: KafkaFailure?
        repeat {
            failure = commit(member, id, next: next, metadata: metadata)?.failure
        } while failure?.code == "REBALANCE_IN_PROGRESS" && kafka.now < end
        return failure
    }

    func leaving() throws {
        let topic = try topic(partitions: Self.partitions, records: 10)
        let (first, second) = (try join(topic), try join(topic))
        turn("each member has partitions") {
            for member in [first, second] { member.release(member.newlyRevoked()) }
            return !first.held.isEmpty && !second.held.isEmpty
                && first.held.count + second.held.count == Int(Self.partitions)
        }
        let owned = second.held
        turn("the records of the second member come") {
            owned.keys.allSatisfy { second.offsets($0).last == 9 }
        }
        for (partition, id) in owned {
            let report = commit(second, id, next: 8, metadata: "left \(partition)")
            expect(report?.failure == nil, "the commit failed: \(String(describing: report))")
        }
        close(second)
        turn("the first member has all partitions") {
            first.release(first.newlyRevoked())
            return first.held.count == Int(Self.partitions)
        }
        for partition in owned.keys {
            guard let id = first.held[partition] else { continue }
            turn("the rest of partition \(partition) comes") {
                first.offsets(partition, under: id).count >= 2
            }
            let offsets = first.offsets(partition, under: id)
            expect(offsets == [8, 9], "offsets: \(offsets)")
            let assigned = first.assigned.first { $0.id == id }
            expect(assigned?.metadata == "left \(partition)", "\(String(describing: assigned))")
        }
        closeAll()
    }
}
