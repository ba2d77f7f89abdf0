import Delivery
import Foundation
import Kafka

/// A producer and everything it has reported.
final class KafkaHarness {
    var producer: Producer
    var ended: [UInt64: Acknowledgement] = [:]
    var failures: [KafkaFailure] = []

    init(_ kafka: RealKafka, _ more: KafkaProperties = [:]) throws {
        var properties = kafka.properties
        for property in more.all { properties[property.name] = property.value }
        properties["reconnect.backoff.ms"] = "20"
        properties["reconnect.backoff.max.ms"] = "200"
        producer = try Producer(properties: properties)
    }

    /// What a broker's clock said last.
    var brokerTime: BrokerTime? { producer.brokerTime }

    func publish(_ value: [UInt8]?, to topic: String, ticket: UInt64) -> PublishResult {
        producer.publish(
            ResultRecord(topic: topic, key: nil, value: value, headers: []), ticket: ticket)
    }

    /// Waits for acknowledgements, as a loop would, until there are so many.
    func wait(for count: Int, seconds: Double = 20) -> Bool {
        let clock = ContinuousClock()
        let end = clock.now + .seconds(seconds)
        repeat {
            producer.acknowledgements { ended[$0] = $1 }
            while let failure = producer.nextFailure() { failures.append(failure) }
            while producer.nextLog() != nil {}
            if ended.count >= count { return true }
            var entry = pollfd(fd: producer.descriptor, events: Int16(POLLIN), revents: 0)
            unsafe poll(&entry, 1, 50)
        } while clock.now < end
        return false
    }
}
