import CRDKafka
import Testing

@testable import Kafka

@Suite struct `The properties of a consumer` {
    private func value(
        _ name: String, _ properties: KafkaProperties, topics: TopicSelection = []
    ) throws -> String {
        let configuration = try ClientConfiguration.consumer(
            properties, group: "group", instance: nil, topics: topics)
        var size = 64
        var bytes = [CChar](repeating: 0, count: size)
        let result = unsafe rd_kafka_conf_get(configuration.pointer, name, &bytes, &size)
        #expect(result == RD_KAFKA_CONF_OK)
        return String(decoding: bytes.prefix(size - 1).map { UInt8(bitPattern: $0) }, as: UTF8.self)
    }

    private static let defaults = [
        ("queued.max.messages.kbytes", "8192"), ("max.partition.fetch.bytes", "262144"),
        ("queued.min.messages", "1000000"), ("topic.metadata.refresh.interval.ms", "30000"),
    ]

    @Test(arguments: defaults) func `have the values that D0121 and D0131 give them`(
        name: String, value: String
    ) throws {
        #expect(try self.value(name, [:]) == value)
    }

    @Test(arguments: defaults) func `have the values that the connector file gives them`(
        name: String, value _: String
    ) throws {
        #expect(try value(name, KafkaProperties([(name, "4096")])) == "4096")
    }

    /// What remains of the 30 seconds is for the rebalance that follows.
    @Test func `look for topics that match a pattern every 20 seconds`() throws {
        let name = "topic.metadata.refresh.interval.ms"
        let topics: TopicSelection = ["news", "^shop\\..*"]
        #expect(try value(name, [:], topics: topics) == "20000")
        #expect(try value(name, KafkaProperties([(name, "4096")]), topics: topics) == "4096")
    }
}
