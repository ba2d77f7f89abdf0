import Delivery
import Kafka
import Testing

@Suite struct `A backlog` {
    /// Lets the queue fill while nothing is read, then empties it, again and again; returns how
    /// long it took each time until there was more.
    private func waits(_ member: Member, _ count: Int) -> [Duration] {
        let clock = ContinuousClock()
        var waits: [Duration] = []
        #expect(turn(member) { !member.records.isEmpty })
        while member.records.count < count {
            member.limit = 0
            _ = turn(member, seconds: 0.3) { false }
            member.limit = 100_000
            member.turn()
            guard member.records.count < count else { break }
            let start = clock.now
            let before = member.records.count
            guard turn(member, until: { member.records.count > before }) else { break }
            waits.append(clock.now - start)
        }
        return waits.sorted()
    }

    /// A fetcher that sleeps would cost half a second on average.
    @Test(arguments: [(450, 40_000), (100_000, 200)])
    func `is fetched as soon as there is room for it`(bytes: Int, count: Int) throws {
        let cluster = try EmbeddedCluster.withOrders(partitions: 4)
        let value = String(repeating: "x", count: bytes)
        for partition in 0..<4 {
            try write(
                Array(repeating: value, count: count / 4), partition: Int32(partition),
                cluster.properties)
        }
        var properties = cluster.properties
        properties["queued.max.messages.kbytes"] = "2048"
        let member = try Member(properties)
        let waits = waits(member, count)
        #expect(member.records.count == count)
        // No wait at all is best: the fetcher was faster than the reader.
        #expect(waits.isEmpty || waits[(waits.count - 1) / 2] < .milliseconds(400), "\(waits)")
        member.consumer.close()
    }

    /// At 60,000 ordinary events a second, 8 MB are a quarter of a second.
    @Test func `of a partition delays other records by no more than the queue has room for`()
        throws
    {
        let cluster = try EmbeddedCluster.withOrders(partitions: 2)
        let value = String(repeating: "x", count: 10_000)
        try write(Array(repeating: value, count: 3000), partition: 0, cluster.properties)
        let member = try Member(cluster.properties)
        member.limit = 10
        #expect(turn(member) { !member.records.isEmpty })
        // The queue fills while nothing is taken; what comes then waits behind it.
        member.limit = 0
        _ = turn(member, seconds: 1) { false }
        let before = member.records.count
        try write(["late"], partition: 1, cluster.properties)
        member.limit = 10
        #expect(turn(member) { member.records.last { $0.value == "late" } != nil })
        let partitionStart = try #require(member.records.firstIndex { $0.value == "late" })
        // Besides what was queued: a response that was under way, and one that comes meanwhile.
        #expect((partitionStart - before) * value.utf8.count <= 8192 * 1024 + 2 * 1024 * 1024)
        member.consumer.close()
    }
}
