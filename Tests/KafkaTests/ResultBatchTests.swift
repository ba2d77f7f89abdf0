import CRDKafka
import Delivery
import Testing

@testable import Kafka

@Suite struct `A producer's batches` {
    private func choice(
        _ properties: KafkaProperties, _ batching: Batching = .oneRequest
    ) throws -> [Int?] {
        let client = try Client(
            RD_KAFKA_PRODUCER, .producer(properties, batching: batching), "make a producer",
            tokens: nil)
        return [client.number("linger.ms"), client.number("max.in.flight")]
    }

    private func inspect(
        _ cluster: borrowing EmbeddedCluster, _ topics: [String]
    ) throws -> ClusterDescription {
        try ClusterInspection.describe(
            properties: cluster.properties, topics: topics, timeoutMilliseconds: 10_000)
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
        cluster.setRoundTrip(1, milliseconds: 50)
        let batching = try inspect(cluster, ["orders"]).batching(to: "orders")
        let chosen = try choice(cluster.properties, batching)
        #expect(chosen[1] == 5)
        // At least a fifth of the response time, for one partition.
        #expect(try #require(chosen[0]) >= 10)
    }

    @Test func `do not wait for each other if there are many partitions`() throws {
        let cluster = try EmbeddedCluster()
        try cluster.createTopic("wide", partitions: 50)
        try cluster.createTopic("narrow", partitions: 1)
        let found = try inspect(cluster, ["wide", "narrow"])
        #expect(try choice(cluster.properties, found.batching(to: "wide"))[1] == 5)
        #expect(found.batching(to: "unknown") == .oneRequest)
    }

    /// A record waits for as many responses as there are partitions: at most 40 ms.
    @Test(arguments: [
        (1, 40, true), (1, 41, false), (8, 5, true), (8, 6, false), (16, 2, true), (16, 3, false),
        (17, 0, false),
    ]) func `wait for each other for at most 40 ms`(
        partitions: Int, milliseconds: Int, isOneRequest: Bool
    ) {
        let batching = Batching(
            responseTime: .milliseconds(milliseconds), partitions: partitions)
        #expect((batching == .oneRequest) == isOneRequest)
        #expect(batching.requestsInFlight == (isOneRequest ? 1 : 5))
    }

    /// Five requests are in flight, each with one partition.
    @Test(arguments: [(50, 20, 200), (8, 20, 32), (1, 41, 8), (17, 0, 5), (100, 100, 250)])
    func `wait until the records of all partitions can be sent, if a broker is far away`(
        partitions: Int, milliseconds: Int, linger: Int
    ) {
        let batching = Batching(
            responseTime: .milliseconds(milliseconds), partitions: partitions)
        #expect(batching.linger == linger)
        #expect(batching.urgent == Batching(linger: 5, requestsInFlight: 5))
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
