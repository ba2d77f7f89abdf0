import Delivery
import Kafka
import Testing

@Suite struct `A check of a cluster` {
    // It needs three round trips: it comes after one wait has ended, and during the next.
    @Test(arguments: [Int32(35), 40, 45, 50])
    func `finds its ID when the first response takes a while`(milliseconds: Int32) throws {
        let cluster = try EmbeddedCluster.withOrders()
        cluster.setRoundTrip(1, milliseconds: milliseconds)
        let found = try ClusterInspection.describe(
            properties: cluster.properties, topics: [], timeoutMilliseconds: 5000)
        #expect(found.clusterID?.isEmpty == false)
    }

    @Test func `names the address that does not respond`() throws {
        let failure = #expect(throws: KafkaFailure.self) {
            _ = try ClusterInspection.describe(
                properties: ["bootstrap.servers": "127.0.0.1:1"], topics: ["a"],
                timeoutMilliseconds: 500)
        }
        #expect(failure?.description.contains("127.0.0.1:1") == true)
        #expect(failure?.code == "_TRANSPORT")
        #expect(failure?.detail.contains("Connection refused") == true)
    }

    @Test func `names the topic that it is not authorized to see`() throws {
        let cluster = try EmbeddedCluster.withOrders(partitions: 3)
        try cluster.createTopic("secret", partitions: 1)
        cluster.failTopic("secret", code: 29)
        let found = try ClusterInspection.describe(
            properties: cluster.properties, topics: ["orders", "secret"],
            timeoutMilliseconds: 5000)
        #expect(found.topics["orders"] == .partitions(3))
        guard case .failed(let failure) = found.topics["secret"] else {
            Issue.record("\(found)")
            return
        }
        #expect(failure.code == "TOPIC_AUTHORIZATION_FAILED")
        #expect(found.clusterID?.isEmpty == false)
    }

    @Test func `reads a topic to its current end`() throws {
        let cluster = try EmbeddedCluster.withOrders(partitions: 2)
        try write((0..<300).map { "\($0)" }, partition: 0, cluster.properties)
        let reader = try TopicReader(properties: cluster.properties)
        #expect(try reader.readAll("orders").map(\.offset) == Array(0..<300))
        try write(["last"], partition: 1, cluster.properties)
        #expect(try reader.readAll("orders").count == 301)
    }

    @Test func `refuses to create a topic twice`() throws {
        let cluster = try EmbeddedCluster.withOrders()
        #expect(throws: KafkaFailure.self) { try cluster.createTopic("orders", partitions: 1) }
    }
}
