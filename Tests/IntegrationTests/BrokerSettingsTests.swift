import CRDKafka
import Delivery
import Testing

@testable import Kafka

@Suite(RealKafka.available) struct `The settings of a broker` {
    @Test func `include its bounds for session timeouts`() throws {
        let kafka = try RealKafka.shared()
        let client = try Client(
            RD_KAFKA_CONSUMER, .observer(kafka.properties), "read settings", tokens: nil)
        let settings = try #require(client.brokerSettings(milliseconds: 10_000))
        // As `RealKafka` has set it, and Kafka's default.
        #expect(settings["group.min.session.timeout.ms"] == "1000")
        #expect(settings["group.max.session.timeout.ms"] == "1800000")
    }
}
