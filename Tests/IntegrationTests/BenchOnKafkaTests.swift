import Delivery
import Foundation
import Kafka
import Testing

@Suite(RealKafka.available) struct `The verb bench on a real Kafka` {
    @Test func `creates topics of its own, and deletes them`() throws {
        let kafka = try RealKafka.shared()
        let prefix = RealKafka.uniqueName("bench")
        let folder = FileManager.default.temporaryDirectory
        let bench = try BridgeProcess(
            [
                "bench", "--bootstrap", kafka.bootstrapServers, "--topics", prefix, "--partitions",
                "3", "--events", "2000", "--rate", "100", "--seconds", "1",
            ], in: folder, name: prefix)
        #expect(bench.wait() == 0, "\(bench.logged)")
        #expect(bench.logged.contains(": 3 partitions\n"), "\(bench.logged)")
        #expect(bench.logged.contains(" 2000 accepted\n"), "\(bench.logged)")
        let topics = ["events", "outcomes", "unregistered", "dead-letter"].map { "\(prefix).\($0)" }
        let found = try ClusterInspection.describe(
            properties: kafka.properties, topics: topics, timeoutMilliseconds: 10_000)
        #expect(topics.allSatisfy { found.topics[$0]?.partitionCount == 0 })
    }
}

@Suite(RealKafka.available) struct `The administration of a real Kafka` {
    @Test func `counts records, and says why a topic cannot be created or deleted`() throws {
        let kafka = try RealKafka.shared()
        let topic = RealKafka.uniqueName("administered")
        let administration = try TopicAdministration(properties: kafka.properties)
        try administration.create([topic], partitions: 2)
        let again = #expect(throws: KafkaFailure.self) {
            try administration.create([topic], partitions: 2)
        }
        #expect(again?.code == "TOPIC_ALREADY_EXISTS")
        #expect(again?.operation == "create topic \(topic)")
        var writer = try RecordWriter(properties: kafka.properties)
        for number in 0..<5 as Range<UInt8> { try writer.write(topic, value: [number]) }
        try writer.flush()
        #expect(try administration.recordCount(of: topic) == 5)
        try administration.delete([topic])
        let gone = #expect(throws: KafkaFailure.self) { try administration.delete([topic]) }
        #expect(gone?.code == "UNKNOWN_TOPIC_OR_PART")
    }
}
