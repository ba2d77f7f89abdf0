import CRDKafka
import Delivery
import Testing

@testable import Kafka

@Suite struct `A producer's batches` {
    private func choice(
        _ properties: KafkaProperties, _ topics: [String] = []
    ) throws -> [Int?] {
        let client = try Client(
            RD_KAFKA_PRODUCER, .producer(properties, topics: topics), "make a producer")
        return [client.number("linger.ms"), client.number("max.in.flight")]
    }

    @Test func `form while a request is in flight`() throws {
        #expect(try choice(["bootstrap.servers": "127.0.0.1:1"]) == [1, 1])
    }

    @Test func `follow the user's settings`() throws {
        let properties: KafkaProperties = [
            "bootstrap.servers": "127.0.0.1:1", "linger.ms": "20",
            "max.in.flight.requests.per.connection": "3",
        ]
        #expect(try choice(properties) == [20, 3])
    }

    @Test func `do not wait for each other if a broker is far away`() throws {
        let cluster = try EmbeddedCluster.withOrders()
        #expect(try choice(cluster.properties) == [1, 1])
        cluster.setRoundTrip(1, milliseconds: 40)
        _ = try ClusterInspection.describe(
            properties: cluster.properties, topics: ["orders"], timeoutMilliseconds: 10_000)
        #expect(try choice(cluster.properties) == [5, 5])
    }

    @Test func `do not wait for each other if there are many partitions`() throws {
        let cluster = try EmbeddedCluster()
        try cluster.createTopic("outcomes", partitions: 50)
        _ = try ClusterInspection.describe(
            properties: cluster.properties, topics: ["outcomes"], timeoutMilliseconds: 10_000)
        #expect(try choice(cluster.properties, ["outcomes"]) == [5, 5])
    }

    @Test func `follow the topic that they are for, whatever was inspected last`() throws {
        let cluster = try EmbeddedCluster()
        for (topic, partitions) in [("wide", 50), ("narrow", 8)] {
            try cluster.createTopic(topic, partitions: partitions)
            _ = try ClusterInspection.describe(
                properties: cluster.properties, topics: [topic], timeoutMilliseconds: 10_000)
        }
        #expect(try choice(cluster.properties, ["wide"]) == [5, 5])
        #expect(try choice(cluster.properties, ["narrow"]) == [1, 1])
    }

    @Test func `follow each of the user's settings alone`() throws {
        let cluster = try EmbeddedCluster.withOrders()
        var properties = cluster.properties
        properties["linger.ms"] = "20"
        #expect(try choice(properties) == [20, 1])
        properties = cluster.properties
        properties["max.in.flight"] = "3"
        #expect(try choice(properties) == [1, 3])
    }
}
