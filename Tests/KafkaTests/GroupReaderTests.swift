import Delivery
import Kafka
import Testing

@Suite struct `A reader of what a group has not read` {
    private let cluster: EmbeddedCluster
    private let partition = TopicPartition(topic: "gone", partition: 0)

    init() throws {
        cluster = try EmbeddedCluster()
        try cluster.createTopic("gone", partitions: 1)
        var writer = try RecordWriter(properties: properties)
        for value in ["a", "b", "c"] { try writer.write("gone", value: Array(value.utf8)) }
        try writer.flush()
    }

    private var properties: KafkaProperties { ["bootstrap.servers": cluster.bootstrapServers] }

    /// How many records a new reader hands over; `commits` what it has read.
    private func read(commits: Bool) throws -> Int {
        var reader = try GroupReader(properties: properties, group: "feedback", topic: "gone")
        try reader.begin()
        var count = 0
        while try reader.read(atMost: 2, { _ in count += 1 }) {}
        if commits { try reader.commit() }
        return count
    }

    @Test func `reads again what was not committed, and nothing that was`() throws {
        #expect(try read(commits: false) == 3)
        #expect(try read(commits: true) == 3)
        #expect(try read(commits: true) == 0)
    }

    @Test(arguments: [14, 15, 16] as [Int32])
    func `waits for the group's coordinator, as after a restart of its broker`(code: Int32) throws {
        cluster.failRequests(api: 9, codes: Array(repeating: code, count: 5))
        #expect(try read(commits: false) == 3)
        cluster.failRequests(api: 8, codes: Array(repeating: code, count: 5))
        #expect(try read(commits: true) == 3)
        #expect(try read(commits: true) == 0)
    }

    @Test func `throws when the group may not be read`() throws {
        cluster.failRequests(api: 9, codes: [30])
        let failure = #expect(throws: KafkaFailure.self) { try read(commits: false) }
        #expect(failure?.code == "GROUP_AUTHORIZATION_FAILED")
    }
}
