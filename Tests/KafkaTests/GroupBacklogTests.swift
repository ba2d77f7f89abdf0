import Delivery
import Kafka
import Testing

@Suite struct `What a group would read from the beginning` {
    private func read(_ cluster: EmbeddedCluster) throws -> GroupBacklog {
        try GroupBacklog.read(
            properties: cluster.properties, group: "group", topics: ["orders"])
    }

    private func commit(_ cluster: EmbeddedCluster, _ partitions: Range<Int32>) throws {
        try GroupOffsets(properties: cluster.properties, group: "group").commit(
            partitions.map { partition in
                CommittedOffset(
                    topicPartition: TopicPartition(topic: "orders", partition: partition), next: 0,
                    metadata: "")
            })
    }

    @Test func `is everything if it has committed nothing, with the time of the oldest`() throws {
        let cluster = try EmbeddedCluster.withOrders(partitions: 3)
        var writer = try RecordWriter(properties: cluster.properties)
        for (partition, time) in [(0, 3000), (1, 1000), (1, 500)] as [(Int32, Int64)] {
            try writer.write("orders", value: [0x78], partition: partition, timestamp: time)
        }
        try writer.flush()
        let found = try read(cluster)
        #expect(found == GroupBacklog(isNew: true, partitions: 3, records: 3, oldest: 1000))
    }

    @Test func `is what partitions without an offset hold`() throws {
        let cluster = try EmbeddedCluster.withOrders(partitions: 3)
        try write(["a", "b"], partition: 2, cluster.properties)
        try commit(cluster, 0..<2)
        let found = try read(cluster)
        #expect(!found.isNew && found.partitions == 1 && found.records == 2)
        #expect(found.oldest != nil)
    }

    @Test func `is nothing if it has offsets, or the topics are empty`() throws {
        let cluster = try EmbeddedCluster.withOrders(partitions: 2)
        #expect(try read(cluster) == GroupBacklog(isNew: true, partitions: 2, records: 0))
        try write(["a"], cluster.properties)
        try commit(cluster, 0..<2)
        #expect(try read(cluster) == GroupBacklog(isNew: false, partitions: 0, records: 0))
    }
}
