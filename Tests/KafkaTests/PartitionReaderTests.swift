import Delivery
import Testing

@testable import Kafka

@Suite struct `A reader of partitions` {
    private let cluster: EmbeddedCluster

    init() throws {
        cluster = try EmbeddedCluster.withOrders()
        try write(["a", "b", "c"], cluster.properties)
    }

    /// A reader of the whole topic that waits for two seconds.
    private func reader(follows: Bool = false) throws -> PartitionReader {
        var reader = try PartitionReader(properties: cluster.properties, timeout: 20)
        try reader.begin(try reader.logs(of: ["orders"]), follows: follows)
        return reader
    }

    @Test func `ends at the ends that it was given`() throws {
        var reader = try reader()
        try write(["later"], cluster.properties)
        var count = 0
        while try reader.read({ _, _ in count += 1 }) {}
        #expect(count == 3)
    }

    @Test func `does not wait for ever for a broker that is gone`() throws {
        var reader = try PartitionReader(properties: cluster.properties, timeout: 20)
        let logs = try reader.logs(of: ["orders"])
        // Before it fetches the first record.
        cluster.setBrokerDown(1)
        try reader.begin(logs)
        let failure = #expect(throws: KafkaFailure.self) {
            while try reader.read({ _, _ in }) {}
        }
        #expect(failure?.code == "_TIMED_OUT")
        #expect(failure?.message.contains("orders/0") == true)
    }

    @Test func `waits for more if it was asked to read beyond the ends`() throws {
        var reader = try reader(follows: true)
        var values: [String] = []
        var rounds = 0
        while rounds < 40 {
            rounds += 1
            _ = try reader.read { _, record in
                values.append(String(decoding: record.value ?? [], as: UTF8.self))
            }
        }
        try write(["later"], cluster.properties)
        while values.count < 4 {
            _ = try reader.read { _, record in
                values.append(String(decoding: record.value ?? [], as: UTF8.self))
            }
        }
        #expect(values.last == "later")
    }
}
