import Foundation
import Kafka
import Testing

@Suite(RealKafka.available) struct `The settings of topics on a real Kafka` {
    @Test func `are reported with the topics`() throws {
        let kafka = try RealKafka.shared()
        let (plain, compacted) = (RealKafka.uniqueName(), RealKafka.uniqueName())
        try kafka.createTopic(plain, configuration: ["retention.ms=60000"])
        try kafka.createTopic(
            compacted, configuration: ["cleanup.policy=compact,delete", "retention.ms=-1"])
        let found = try ClusterInspection.describe(
            properties: kafka.properties, topics: [plain, compacted, "missing"],
            timeoutMilliseconds: 10_000)
        #expect(
            found.settings == [
                plain: TopicSettings(retention: 60_000),
                compacted: TopicSettings(isCompacted: true),
            ])
        #expect(found.settingsFailure == nil)
    }
}
