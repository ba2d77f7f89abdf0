import Configuration
import Kafka
import Testing

@testable import LegacyProviders

@Suite struct `The check of Kafka before a legacy service listens` {
    private func look(_ properties: KafkaProperties) throws {
        _ = try TopicCheck(
            properties: properties, topic: "legacy.pushes", setting: "topic", right: "WRITE",
            locations: SettingLocations(file: "a.legacy-gateway.yaml")
        ).look(timeoutMilliseconds: 1000)
    }

    @Test func `names the address that does not respond`() throws {
        let failure = #expect(throws: LegacyFailure.self) {
            try look(["bootstrap.servers": "127.0.0.1:1"])
        }
        #expect(failure?.kind == .unavailable)
        #expect(
            failure?.description.hasPrefix(
                "a.legacy-gateway.yaml: error: no connection to Kafka at 127.0.0.1:1: ") == true)
        #expect(
            failure?.problem.remedy
                == "start Kafka there, or correct the address in bootstrap.servers")
    }

    @Test func `finds a topic that is there, and how to create one that is not`() throws {
        let cluster = try EmbeddedCluster()
        try cluster.createTopic("legacy.pushes", partitions: 1)
        try look(["bootstrap.servers": cluster.bootstrapServers])
        cluster.failTopic("legacy.pushes", code: 3)
        let failure = #expect(throws: LegacyFailure.self) {
            try look(["bootstrap.servers": cluster.bootstrapServers])
        }
        #expect(failure?.kind == .configuration)
        #expect(failure?.problem.message == "Kafka has no topic 'legacy.pushes'")
        #expect(failure?.problem.remedy?.contains("--create --topic legacy.pushes") == true)
        cluster.failTopic("legacy.pushes", code: 29)
        let right = #expect(throws: LegacyFailure.self) {
            try look(["bootstrap.servers": cluster.bootstrapServers])
        }
        let remedy = "grant it DESCRIBE and WRITE: kafka-acls.sh --add"
        #expect(right?.problem.remedy == remedy)
    }
}
