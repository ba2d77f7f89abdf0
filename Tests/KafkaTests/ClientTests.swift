import CRDKafka
import Testing

@testable import Kafka

@Suite struct `A client that the library does not finish` {
    @Test func `keeps nobody waiting when it is destroyed`() throws {
        let cluster = try EmbeddedCluster.withOrders(partitions: 1)
        try write(["first"], partition: 0, cluster.properties)
        var client: Client? = try Client(
            RD_KAFKA_CONSUMER, try ClientConfiguration.observer(cluster.properties), "test",
            tokens: nil)
        let handle = unsafe try #require(client).pointer
        let topic = unsafe rd_kafka_topic_new(handle, "orders", nil)
        unsafe rd_kafka_consume_start(topic, 0, 0)
        // As long as a message is held, the library waits for the thread of its broker.
        let message = unsafe rd_kafka_consume(topic, 0, 30_000)
        try #require(unsafe message != nil)
        unsafe rd_kafka_consume_stop(topic, 0)
        unsafe rd_kafka_topic_destroy(topic)
        let begin = ContinuousClock.now
        client = nil
        #expect(ContinuousClock.now - begin < .seconds(60))
        unsafe rd_kafka_message_destroy(message)
    }
}
