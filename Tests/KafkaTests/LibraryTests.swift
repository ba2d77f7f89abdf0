import Testing

@testable import Kafka

@Suite struct `The version of librdkafka` {
    @Test(arguments: [
        (0x0200_02ff, false), (0x0206_00ff, false), (0x0206_01ff, true), (0x0208_00ff, true),
    ])
    func `says whether SCRAM works with brokers that check the nonce`(
        version: Int32, isStrict: Bool
    ) {
        #expect(KafkaLibrary.hasStrictSCRAM(version: version) == isStrict)
    }
}
