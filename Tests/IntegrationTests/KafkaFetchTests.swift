import Delivery
import Foundation
import Kafka
import Testing

@Suite(RealKafka.available, .serialized) struct `A backlog on a real Kafka` {
    /// Lets the queue fill while nothing is read, then empties it, again and again; returns how
    /// long it took each time until there was more.
    private func waits(_ member: KafkaMember, _ count: Int) -> [Duration] {
        let clock = ContinuousClock()
        var waits: [Duration] = []
        #expect(turn(member) { member.count > 0 })
        while member.count < count {
            member.limit = 0
            _ = turn(member, seconds: 0.3) { false }
            member.limit = 100_000
            member.turn()
            guard member.count < count else { break }
            let start = clock.now
            let before = member.count
            guard turn(member, until: { member.count > before }) else { break }
            waits.append(clock.now - start)
        }
        return waits.sorted()
    }

    /// A fetcher that sleeps would cost half a second on average.
    @Test(arguments: [(450, 400_000), (100_000, 1500)])
    func `is fetched as soon as there is room for it`(bytes: Int, count: Int) throws {
        let kafka = try RealKafka.shared()
        let topic = RealKafka.uniqueName()
        try kafka.createTopic(topic, partitions: 4)
        try fill(kafka, topic, count: count, partitions: 4, bytes: bytes)
        let member = try KafkaMember(kafka, group: RealKafka.uniqueName(), topic: topic)
        let waits = waits(member, count)
        #expect(member.count == count)
        // No wait at all is best: the fetcher was faster than the reader.
        #expect(waits.isEmpty || waits[(waits.count - 1) / 2] < .milliseconds(400), "\(waits)")
        #expect(member.broken.isEmpty)
        member.consumer.close()
    }

    @Test func `that ends in an aborted transaction costs no requests once it is read`() throws {
        let kafka = try RealKafka.shared()
        let topic = RealKafka.uniqueName()
        try kafka.createTopic(topic)
        try fill(kafka, topic, count: 1000, partitions: 1)
        var writer = try RecordWriter(properties: kafka.properties, transactionalID: topic)
        try writer.prepareTransactions()
        try writer.begin()
        for _ in 0..<100 { try writer.write(topic, value: [0x78], partition: 0) }
        try writer.flush()
        try writer.abort()
        let member = try KafkaMember(
            kafka, group: RealKafka.uniqueName(), topic: topic, ["debug": "protocol"])
        #expect(turn(member) { member.count == 1000 })
        // What the consumer asks in this time may still be about the records that it read.
        _ = turn(member, seconds: 1) { false }
        let before = member.requests["ListOffsets", default: 0]
        _ = turn(member, seconds: 3) { false }
        #expect(member.count == 1000)
        #expect(member.requests["ListOffsets", default: 0] == before)
        #expect(member.requests["Fetch", default: 0] > 0)
        member.consumer.close()
    }
}
