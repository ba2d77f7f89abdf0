import Delivery
import EventLoop
import Kafka
import Testing

@Suite struct `A descriptor that is never cleared` {
    @Test func `wakes its owner for each acknowledgement and each record`() throws {
        let cluster = try EmbeddedCluster()
        try cluster.createTopic("edges", partitions: 1)
        let properties: KafkaProperties = ["bootstrap.servers": cluster.bootstrapServers]
        var kernel = try LinuxKernel()
        var producer = try Producer(properties: properties)
        var consumer = try Consumer(
            properties: properties, group: "edges", topics: ["edges"], start: .earliest)
        (producer.clearsDescriptor, consumer.clearsDescriptor) = (false, false)
        try kernel.watch(producer.descriptor, token: 1)
        try kernel.watch(consumer.descriptor, token: 2)
        let end = kernel.now + .seconds(60)
        var (stored, taken): (UInt64, UInt64) = (0, 0)
        while taken < 5, kernel.now < end {
            if stored == taken {
                let value = [UInt8](repeating: 7, count: 10)
                let result = producer.publish(
                    ResultRecord(
                        topic: "edges", partition: 0, key: nil, value: value, headers: []),
                    ticket: stored)
                #expect(result == .queued)
                // Nothing but the signal ends the wait.
                let sent = stored
                while stored == sent, kernel.now < end {
                    kernel.wait(until: end) { _ in }
                    producer.acknowledgements { _, _ in stored += 1 }
                }
            }
            kernel.wait(until: end) { _ in }
            _ = consumer.take(atMost: 100) { _ in taken += 1 }
            while consumer.nextChange() != nil {}
        }
        #expect(stored == 5)
        #expect(taken == 5)
        consumer.close()
    }
}
