import CRDKafka
import Delivery
import Testing

@testable import Kafka

@Suite struct `A watch over the library's fetcher` {
    private let partitions = [TopicPartition(topic: "orders", partition: 0)]

    /// A watch whose queue has room for 1,000 records, or for 100 KB.
    private func watch() throws -> FetchWatch {
        let properties: KafkaProperties = [
            "bootstrap.servers": "127.0.0.1:1", "queued.min.messages": "1000",
            "queued.max.messages.kbytes": "100",
        ]
        return FetchWatch(
            try Client(
                RD_KAFKA_CONSUMER, .consumer(properties, group: "group"), "join", tokens: nil))
    }

    @Test func `looks every 20 ms while something moves`() throws {
        var watch = try watch()
        #expect(watch.interval == 20)
        for round in 1...200 {
            watch.note(records: round, bytes: round * 450)
            _ = watch.next(of: partitions)
            #expect(watch.interval == 20)
        }
    }

    @Test func `looks once a second after a hundred looks without effect, until something moves`()
        throws
    {
        var watch = try watch()
        for _ in 0..<100 {
            watch.note(records: 0, bytes: 0)
            _ = watch.next(of: partitions)
        }
        #expect(watch.interval == 20)
        _ = watch.next(of: partitions)
        #expect(watch.interval == 1000)
        watch.note(records: 1, bytes: 450)
        #expect(watch.interval == 20)
    }

    @Test(.enabled(if: rd_kafka_version() < 0x0202_00FF, "librdkafka 2.2 looks on its own"))
    func `sees room in an empty queue`() throws {
        var watch = try watch()
        watch.note(records: 10, bytes: 4500)
        let isLow = watch.isLow
        #expect(isLow)
    }

    @Test func `asks about each of many partitions in turn, and about 32 at once`() throws {
        var watch = try watch()
        let many = (0..<100).map { TopicPartition(topic: "orders", partition: $0) }
        var asked: Set<Int32> = []
        for round in 1...100 {
            watch.note(records: round, bytes: round)
            let some = watch.next(of: many)
            #expect(some.count == 32)
            asked.formUnion(some.map(\.partition))
        }
        #expect(asked.count == 100)
    }
}
