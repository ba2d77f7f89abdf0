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
            RD_KAFKA_CONSUMER, .consumer(properties, group: "g", instance: instance), "join",
            tokens: nil)
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

    @Test func `has librdkafka's timeout in all workers after a broker has rejected ours`() throws {
        let cluster = try EmbeddedCluster.withOrders()
        cluster.failRequests(api: 11, codes: Array(repeating: 26, count: 20))
        // The second one has started before the first is rejected.
        let members = try (0..<2).map { _ in
            Member(
                try Consumer(
                    properties: cluster.properties, group: "group", topics: ["orders"],
                    start: .earliest))
        }
        for member in members {
            #expect(turn(member) { member.failures.contains { $0.isFatal } })
            let failure = member.failures.last { $0.isFatal }
            #expect(failure?.code == "INVALID_SESSION_TIMEOUT")
            #expect(failure?.detail.contains("does not allow session.timeout.ms=10000") == true)
            #expect(failure?.detail.contains("restarting with librdkafka's default") == true)
            member.consumer.close()
        }
        #expect(try timeouts(cluster: cluster.bootstrapServers) == [45_000, 3000])
        #expect(try timeouts() == [10_000, 2000])
    }

    @Test(arguments: [
        ("12000", "1800000", 12_000), ("1000", "8000", 8000), ("6000", "1800000", nil),
        ("many", "", nil),
    ]) func `has the nearest timeout that the broker allows`(
        least: String, maximum: String, nearest: Int?
    ) {
        let settings = [
            "group.min.session.timeout.ms": least, "group.max.session.timeout.ms": maximum,
        ]
        #expect(SessionTimeout.nearest(in: settings) == nearest)
        #expect(SessionTimeout.nearest(in: [:]) == nil)
    }
}
