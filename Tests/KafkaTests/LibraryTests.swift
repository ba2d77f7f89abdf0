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

    @Test(arguments: [
        (
            0x0200_02ff,
            "the rights that doctor checks, SCRAM with brokers of Kafka 4, "
                + "safe commits during a rebalance, group.protocol: consumer"
        ),
        (0x0208_00ff, "safe commits during a rebalance, group.protocol: consumer"),
        (0x020a_00ff, "group.protocol: consumer"), (0x020c_00ff, nil), (0x0210_00ff, nil),
    ] as [(Int32, String?)])
    func `says what it lacks`(version: Int32, lacks: String?) {
        #expect(KafkaLibrary.lacks(version: version) == lacks)
    }

    @Test(arguments: [
        (0x0201_01ff, false), (0x0202_00ff, true), (0x0208_00ff, true), (0x020d_01ff, true),
        (0x020d_02ff, false), (0x0210_00ff, false),
    ])
    func `says whether its batches lose records`(version: Int32, areNeeded: Bool) {
        #expect(SingleRecords.areNeeded(version: version) == areNeeded)
    }

    @Test func `must be 2.12 for groups in which the broker decides`() {
        let properties = KafkaProperties([("group.protocol", "consumer")])
        let conflict = properties.conflictWithGroupProtocol("group.protocol", version: 0x0208_00ff)
        #expect(conflict?.contains("needs librdkafka 2.12 or newer") == true)
        #expect(
            properties.conflictWithGroupProtocol("group.protocol", version: 0x020c_00ff) == nil)
    }

    @Test(arguments: [
        "partition.assignment.strategy", "session.timeout.ms", "heartbeat.interval.ms",
    ])
    func `leaves to the broker what it decides`(name: String) {
        let properties = KafkaProperties([("group.protocol", "consumer"), (name, "1000")])
        #expect(properties.conflictWithGroupProtocol(name)?.hasSuffix("remove it") == true)
        #expect(KafkaProperties([(name, "1000")]).conflictWithGroupProtocol(name) == nil)
    }
}
