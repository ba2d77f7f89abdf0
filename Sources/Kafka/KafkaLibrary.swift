internal import CRDKafka

/// The underlying Kafka library.
public enum KafkaLibrary {
    /// The version of librdkafka that is loaded, as it reports it.
    public static var version: String { unsafe String(cString: rd_kafka_version_str()) }

    /// True if SCRAM works with brokers that check the nonce as RFC 5802 says, as Kafka 4 does.
    ///
    /// Before 2.6.1 the library sent its own nonce twice, which brokers took for a wrong password.
    public static var hasStrictSCRAM: Bool { hasStrictSCRAM(version: rd_kafka_version()) }

    /// The same for a version, as the library encodes it: `0x020601ff` is 2.6.1.
    static func hasStrictSCRAM(version: Int32) -> Bool { version >= 0x0206_0100 }

    /// True if members of a group may use `group.protocol: consumer`, which is complete from 2.12
    /// on. [KIP-848](https://cwiki.apache.org/confluence/display/KAFKA/KIP-848).
    static func hasConsumerGroups(version: Int32) -> Bool { version >= 0x020C_0000 }

    /// True if a member keeps its partitions although it has committed while its group rebalances
    /// (confluentinc/librdkafka issue 4059). Kafka answers such a commit of a classic group only
    /// when the rebalance has ended, whatever the library.
    static func commitsWhileRebalancing(version: Int32) -> Bool { version >= 0x020A_0000 }

    /// True if it can ask what a user may do with topics and groups.
    static func describesRights(version: Int32) -> Bool { version >= 0x0203_0000 }

    /// What the loaded library cannot do and newer ones can; nil if there is nothing.
    public static var lacks: String? { lacks(version: rd_kafka_version()) }

    static func lacks(version: Int32) -> String? {
        let lacks = [
            describesRights(version: version) ? nil : "the rights that doctor checks",
            hasStrictSCRAM(version: version) ? nil : "SCRAM with brokers of Kafka 4",
            commitsWhileRebalancing(version: version) ? nil : "safe commits during a rebalance",
            hasConsumerGroups(version: version) ? nil : "group.protocol: consumer",
        ].compactMap(\.self)
        return lacks.isEmpty ? nil : lacks.joined(separator: ", ")
    }
}
