import CRDKafka
import Delivery
import Glibc
import Testing

@testable import Kafka

@Suite struct `The end of a member` {
    private func makeConsumer(_ cluster: EmbeddedCluster) throws -> Consumer {
        try Consumer(
            properties: [
                "bootstrap.servers": cluster.bootstrapServers, "session.timeout.ms": "4000",
                "heartbeat.interval.ms": "200",
            ], group: "group", topics: ["orders"], start: .earliest)
    }

    /// Waits until the group has assigned partitions to a member, which is not notified.
    private func awaitUntoldAssignment(_ consumer: inout Consumer) {
        // It is false from the request to join to the assignment.
        for expected in [false, true] {
            var entry = pollfd(fd: consumer.descriptor, events: Int16(POLLIN), revents: 0)
            while consumer.mayCommit != expected { unsafe poll(&entry, 1, 5) }
        }
    }

    @Test(.timeLimit(.minutes(1)))
    func `needs no response to an assignment that it does not know of`() throws {
        let cluster = try EmbeddedCluster.withOrders(partitions: 2)
        var consumer = try makeConsumer(cluster)
        awaitUntoldAssignment(&consumer)
        let client = consumer.client
        let hasLeft = consumer.leave(leavingGroup: false)
        #expect(!hasLeft)
        #expect(!client.isLeftBehind)
    }

    @Test(.timeLimit(.minutes(1)))
    func `leaves the group even before it knows of its assignment`() throws {
        let cluster = try EmbeddedCluster.withOrders(partitions: 2)
        var consumer = try makeConsumer(cluster)
        awaitUntoldAssignment(&consumer)
        let client = consumer.client
        let hasLeft = consumer.close()
        #expect(hasLeft)
        #expect(!client.isLeftBehind)
    }

    /// What is left of the client keeps a processor busy until its process ends.
    @Test(.timeLimit(.minutes(1)))
    func `is not awaited for ever`() async {
        await #expect(processExitsWith: .success) {
            let cluster = try EmbeddedCluster.withOrders(partitions: 2)
            let configuration = try ClientConfiguration.consumer(
                ["bootstrap.servers": cluster.bootstrapServers, "session.timeout.ms": "4000"],
                group: "group")
            unsafe rd_kafka_conf_set_events(configuration.pointer, RD_KAFKA_EVENT_REBALANCE)
            let client = try Client(RD_KAFKA_CONSUMER, configuration, "test", tokens: nil)
            try client.subscribe(to: ["orders"])
            let queue = unsafe rd_kafka_queue_get_consumer(client.pointer)
            var event: OpaquePointer?
            repeat {
                unsafe event = unsafe rd_kafka_queue_poll(queue, 1000)
            } while unsafe rd_kafka_event_type(event) != RD_KAFKA_EVENT_REBALANCE
            unsafe rd_kafka_event_destroy(event)
            unsafe rd_kafka_queue_destroy(queue)
            // Without a response to the assignment, librdkafka 2.0.2 never finishes.
            client.destroy()
            #expect(client.nextLog() == nil)
            // Nothing that runs at an exit waits for the library's threads.
            _exit(0)
        }
    }
}
