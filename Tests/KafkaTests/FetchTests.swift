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
}
