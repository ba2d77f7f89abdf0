package import BridgeTesting
package import Delivery
internal import EventLoop
internal import Foundation
package import Kafka

/// A Kafka that is reached through librdkafka, as one under test.
package final class LibraryKafka: KafkaUnderTest {
    /// What librdkafka cannot do with topics on every kind of Kafka.
    package struct Administration: Sendable {
        let create: @Sendable (_ name: String, _ partitions: Int) throws -> Void
        let delete: @Sendable (_ name: String) throws -> Void

        package init(
            create: @escaping @Sendable (_ name: String, _ partitions: Int) throws -> Void,
            delete: @escaping @Sendable (_ name: String) throws -> Void
        ) {
            self.create = create
            self.delete = delete
        }
    }

    package let largestResult: Int
    private let properties: KafkaProperties
    private let administration: Administration
    private var counts: [String: Int] = [:]
    private var kernel = try? LinuxKernel()

    /// Reaches a Kafka with these properties; members of groups have more of them.
    package init(
        _ properties: KafkaProperties, largestResult: Int, _ administration: Administration
    ) {
        self.largestResult = largestResult
        self.properties = properties
        self.administration = administration
    }

    package var now: Instant { MonotonicClock.now }

    package func wait() { kernel?.wait(until: now + .milliseconds(10)) { _ in } }

    package func createTopic(partitions: Int) throws -> String {
        let name = "conformance-\(UUID().uuidString.lowercased().prefix(8))"
        try administration.create(name, partitions)
        counts[name] = partitions
        return name
    }

    package func recreateTopic(_ name: String) throws {
        try administration.delete(name)
        // Kafka forgets the name only a moment after its response.
        let end = now + .seconds(20)
        while true {
            do { return try administration.create(name, counts[name] ?? 1) } catch {
                if now > end { throw error }
            }
        }
    }

    package func append(_ records: [KafkaRecord], to partition: TopicPartition) throws {
        var writer = try RecordWriter(properties: properties)
        for record in records {
            try writer.write(
                partition.topic, key: record.key, value: record.value,
                headers: record.resultHeaders, partition: partition.partition)
        }
        try writer.flush()
    }

    package func records(of topic: String) throws -> [KafkaRecord] {
        try TopicReader(properties: properties).readAll(topic).map {
            KafkaRecord(
                key: $0.key, value: $0.value, headers: $0.headers, partition: $0.partition)
        }
    }

    package func join(_ topic: String) throws -> ObservedSource {
        var all = properties
        // The mock cluster gives a member a second less than its session to join again.
        for (name, value) in [
            ("session.timeout.ms", "12000"), ("heartbeat.interval.ms", "200"),
            ("fetch.wait.max.ms", "10"), ("reconnect.backoff.ms", "20"),
            ("reconnect.backoff.max.ms", "200"),
        ] { all[name] = value }
        return ObservedSource(
            try Consumer(
                properties: all, group: "\(topic)-readers", topics: [topic], start: .earliest))
    }

    package func openSink() throws -> ObservedSink {
        ObservedSink(try Producer(properties: properties))
    }
}
