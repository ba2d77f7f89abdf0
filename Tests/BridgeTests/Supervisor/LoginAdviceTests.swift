import Kafka
import Testing

@testable import Bridge

@Suite struct `The advice about a failed login to Kafka` {
    private func advice(_ properties: KafkaProperties, isStrict: Bool) -> String {
        KafkaCheck.scramAdvice(properties, isStrict: isStrict)
    }

    @Test(arguments: ["sasl.mechanism", "sasl.mechanisms"])
    func `names the librdkafka whose SCRAM Kafka 4 refuses`(name: String) {
        let message = advice([name: "SCRAM-SHA-512"], isStrict: false)
        let version = KafkaLibrary.version
        #expect(message.contains("Kafka 4 refuses SCRAM-SHA-512 of librdkafka \(version)"))
        #expect(message.contains("install 2.6.1 or newer, or use PLAIN or a client certificate"))
        #expect(!message.contains("\n"))
    }

    @Test func `does not blame another mechanism, or a newer librdkafka`() {
        #expect(advice(["sasl.mechanism": "PLAIN"], isStrict: false).isEmpty)
        #expect(advice(["bootstrap.servers": "localhost"], isStrict: false).isEmpty)
        #expect(advice(["sasl.mechanism": "SCRAM-SHA-512"], isStrict: true).isEmpty)
    }
}
