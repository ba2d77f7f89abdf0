import CRDKafka
import Delivery
import Testing

@testable import Kafka

@Suite struct `The session of a member` {
    private func timeouts(
        _ extra: KafkaProperties = [:], instance: String? = nil,
        cluster: String = "127.0.0.1:1"
    ) throws -> [Int?] {
        var properties: KafkaProperties = ["bootstrap.servers": cluster]
        for property in extra.all { properties[property.name] = property.value }
        let client = try Client(
            RD_KAFKA_CONSUMER, .consumer(properties, group: "g", instance: instance), "join")
        return [client.number("session.timeout.ms"), client.number("heartbeat.interval.ms")]
    }

    @Test func `ends after ten seconds of silence by default`() throws {
        #expect(try timeouts() == [10_000, 2000])
        #expect(try timeouts(["session.timeout.ms": "20000"]) == [20_000, 3000])
        #expect(try timeouts(["heartbeat.interval.ms": "1000"]) == [45_000, 1000])
    }

    @Test func `has librdkafka's timeout for a static member`() throws {
        #expect(try timeouts(instance: "one") == [45_000, 3000])
        #expect(try timeouts(["group.instance.id": "one"]) == [45_000, 3000])
    }

    @Test func `has librdkafka's timeout after a broker has rejected a short one`() throws {
        let cluster = try EmbeddedCluster.withOrders()
        cluster.failRequests(api: 11, codes: [26])
        let member = Member(
            try Consumer(
                properties: cluster.properties, group: "group", topics: ["orders"],
                start: .earliest))
        #expect(turn(member) { member.failures.contains { $0.isFatal } })
        let failure = member.failures.last
        #expect(failure?.code == "INVALID_SESSION_TIMEOUT")
        #expect(failure?.detail.contains("does not allow session.timeout.ms=10000") == true)
        member.consumer.close()
        #expect(try timeouts(cluster: cluster.bootstrapServers) == [45_000, 3000])
        #expect(try timeouts() == [10_000, 2000])
    }
}
